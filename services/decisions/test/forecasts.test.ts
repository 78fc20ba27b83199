import { describe, expect, it } from '@jest/globals';
import { type Decision, type Forecast, newId, type Principal } from '@waymark/contracts';
import { keyPrincipal, servicePrincipal, sessionPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();

/** Makes a workspace with two people, whose key and agent write in it. */
function team({ hides = false } = {}) {
  const hidden = hides ? { hidden_forecasts: true as const } : {};
  const key = { ...keyPrincipal(), ...hidden };
  const join = (user_name: string) => {
    const person = { ...sessionPrincipal({ workspaceId: key.workspace_id, role: 'member' }), user_name };
    suite.people.set(person.user_id, { name: user_name, role: 'member' });
    return { ...person, membership: { ...person.membership!, ...hidden } };
  };
  const [ada, grace] = [join('Ada'), join('Grace')];
  const agent = { ...keyPrincipal({ workspace_id: key.workspace_id }), ...hidden };
  return {
    ...{ ada, grace },
    key: { ...key, user_id: ada.user_id },
    agent: { ...agent, service_account: { name: 'Agent', role: 'member' as const } },
  };
}

const give = (by: Principal, { id }: Decision, probability: number, more: object = {}) =>
  suite.send(by, 'PUT', `/decisions/${id}/forecast`, { body: { probability, ...more } });
const listed = async (by: Principal, { id }: Decision) =>
  (await suite.get(by, `/decisions/${id}/forecasts`)).body;
const importAll = (workspace_id: string, ...forecasts: Forecast[]) =>
  suite.call(servicePrincipal('transfer'), 'POST', '/internal/imports/forecasts', {
    body: { workspace_id, portion: newId(), forecasts },
  });

describe('PUT /decisions/{id}/forecast', () => {
  it('keeps one per person and agent, also by key, with what it replaces, and an event each', async () => {
    const { key, ada, grace, agent } = team();
    const decision = await suite.create(key);
    expect((await give(ada, decision, 0.5, { reason: 'A guess' })).body).toMatchObject({
      ...{ decision_id: decision.id, probability: 0.5, reason: 'A guess', state: 'current' },
      forecaster: { type: 'session', id: ada.user_id, name: 'Ada' },
    });
    for (const _ of [1, 2]) await give(key, decision, 0.8);
    await give(grace, decision, 0.6);
    expect((await give(agent, decision, 0.1)).body.forecaster).toEqual({
      ...{ type: 'service_account', id: agent.user_id, name: 'Agent' },
    });
    const { data, ...rest } = await listed(grace, decision);
    expect(data.map(({ forecaster, probability }: Forecast) => [forecaster.name, probability])).toEqual([
      ...[
        ['Agent', 0.1],
        ['Grace', 0.6],
        ['Ada', 0.8],
      ],
    ]);
    expect(rest).toMatchObject({ count: 3, hidden: false, open: true, median: 0.6, mine: data[1] });
    expect(await suite.count(key, 'forecasts')).toBe(4);
    const given = Array(4).fill('decision.forecast_given');
    const events = await suite.eventsAbout(decision.id, ['decision.created', ...given]);
    expect(events[2]).toMatchObject({
      action: 'decision.forecast',
      changes: { probability: { before: 0.5, after: 0.8 } },
    });
    expect((await suite.get(key, `/decisions/${decision.id}`)).body).toEqual(decision);
  });

  it('is refused once an outcome was logged, also if the decision is pending again', async () => {
    const { ada, key } = team();
    const decision = await suite.create(key);
    await suite.patch(key, decision.id, { outcome: 'success' });
    expect(await give(ada, decision, 0.9)).toMatchObject({ status: 409, body: { error: 'CONFLICT' } });
    await suite.patch(key, decision.id, { outcome: 'pending' });
    expect((await give(ada, decision, 0.9)).status).toBe(409);
    expect(await listed(ada, decision)).toMatchObject({ count: 0, open: false, median: null });
  });

  it('and an outcome at the same time never leave a forecast from after the outcome', async () => {
    const { ada, grace, key } = team();
    for (let round = 0; round < 5; round += 1) {
      const decision = await suite.create(key);
      const [first, outcome, second] = await Promise.all([
        give(ada, decision, 0.9),
        suite.patch(key, decision.id, { outcome: 'failure' }),
        give(grace, decision, 0.9),
      ]);
      expect(outcome.status).toBe(200);
      const answers = [first, second].map(({ status }) => status);
      expect(answers.filter((status) => status === 200 || status === 409)).toHaveLength(2);
      const { count } = await listed(ada, decision);
      expect(count).toBe(answers.filter((status) => status === 200).length);
    }
  });

  it('refuses numbers outside 0 to 1', async () => {
    const { ada, key } = team();
    const decision = await suite.create(key);
    for (const probability of [-0.1, 1.1, '0.5', null])
      expect((await give(ada, decision, probability as number)).body.issues[0].path).toBe('probability');
    expect(await suite.count(key, 'forecasts')).toBe(0);
  });
});

describe('GET /decisions/{id}/forecasts of a workspace that hides them', () => {
  it('shows those of others after one’s own or the outcome, and events and parts reveal none', async () => {
    const { key, ada, grace, agent } = team({ hides: true });
    const decision = await suite.create(key);
    await give(ada, decision, 0.875, { reason: 'Sure' });
    const nothing = { data: [], count: 1, hidden: true, mine: null, median: null, extremized_mean: null };
    expect(await listed(grace, decision)).toMatchObject(nothing);
    expect((await listed(ada, decision)).data).toHaveLength(1);
    const included = await suite.get(agent, `/decisions/${decision.id}`, { include: 'forecasts' });
    expect(included.body.included.forecasts).toMatchObject(nothing);
    const events = await suite.eventsAbout(decision.id, ['decision.created', 'decision.forecast_given']);
    expect(JSON.stringify(events[1])).not.toMatch(/0\.875|Sure/);

    await give(grace, decision, 0.25);
    expect(await listed(grace, decision)).toMatchObject({ hidden: false, count: 2, median: 0.5625 });
    expect(await listed(agent, decision)).toMatchObject({ hidden: true, count: 2 });
    await suite.patch(key, decision.id, { outcome: 'partial' });
    expect((await listed(agent, decision)).data).toHaveLength(2);
  });
});

describe('POST /internal/imports/forecasts', () => {
  it('stores each once, and no second current one of a person', async () => {
    const { ada, grace, key } = team();
    const decision = await suite.create(key);
    const mine = (await give(ada, decision, 0.5)).body as Forecast;
    const by = (id: string, more: object = {}) => ({ ...mine, id, ...more });
    const hers = { forecaster: { ...mine.forecaster, id: grace.user_id } };
    const second = [by(newId()), by(newId(), hers)];
    const earlier = by(newId(), { state: 'replaced', ended_at: mine.created_at });
    const answer = await importAll(key.workspace_id, by(newId(), hers), ...second, earlier, mine);
    expect(answer.body).toEqual({ stored: 2, left_out: second.map(({ id }) => id) });
    expect((await listed(ada, decision)).count).toBe(2);
  });
});

describe('GET /metrics/calibration', () => {
  it('scores the last forecast before each outcome by forecaster, type and tag, from ten decisions on', async () => {
    const { ada, grace, key } = team();
    for (let i = 0; i < 10; i += 1) {
      const decision = await suite.create(key, { title: `No ${i}`, decision_type: 'hiring', tags: ['a'] });
      await give(ada, decision, 0.1);
      await give(ada, decision, 0.5);
      if (i < 9) await give(grace, decision, 1);
      await suite.patch(key, decision.id, { outcome: i < 5 ? 'success' : 'failure' });
    }
    const tenth = await suite.create(key);
    const given = (await give(ada, await suite.create(key), 1)).body as Forecast;
    const { forecaster } = given;
    const imported = { decision_id: tenth.id, forecaster: { ...forecaster, id: grace.user_id } };
    await importAll(key.workspace_id, { ...given, ...imported, id: newId(), imported_by: forecaster });
    await suite.patch(key, tenth.id, { outcome: 'success' });
    const abandoned = await suite.create(key);
    await give(ada, abandoned, 1);
    await suite.patch(key, abandoned.id, { outcome: 'abandoned' });
    const { all, forecasters, types, tags } = (await suite.get(key, '/metrics/calibration')).body;
    expect(all).toMatchObject({ decisions: 10, forecasts: 19 });
    expect(forecasters).toMatchObject([
      {
        ...{ id: ada.user_id, name: 'Ada', decisions: 10, brier_score: 0.25, base_rate: 0.5, skill: 0 },
        ...{ reliability: 0, resolution: 0 },
      },
      { id: grace.user_id, name: 'Grace', decisions: 9, brier_score: null, skill: null },
    ]);
    expect([types, tags]).toEqual([[{ value: 'hiring', ...all }], [{ value: 'a', ...all }]]);
    const elsewhere = (await suite.get(keyPrincipal(), '/metrics/calibration')).body;
    expect(elsewhere).toMatchObject({ all: { forecasts: 0 }, forecasters: [], types: [], tags: [] });
  });
});
