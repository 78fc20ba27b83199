import { describe, expect, it } from '@jest/globals';
import { type Decision, newId, type Principal } from '@waymark/contracts';
import { keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { monthsAfter } from '../src/decisions/review-dates.ts';
import { startSuite } from './suite.ts';

const suite = await startSuite();
const ACCEPTED = { title: 'A choice', status: 'accepted' };
const review = (by: Principal, { id }: Decision, body: object, headers = {}) =>
  suite.send(by, 'POST', `/decisions/${id}/reviews`, { body, headers });
const inMonths = (months: number) => monthsAfter(suite.clock.nowMs, months);

describe('POST /decisions/{id}/reviews', () => {
  it('is a version of the decision and sets the next date', async () => {
    const key = keyPrincipal();
    const decision = await suite.create(key, { ...ACCEPTED, reviewEveryMonths: 6, reviewBy: '2026-01-01' });
    const { status, body } = await review(key, decision, { result: 'reaffirm', note: 'Still the best.' });
    const reviewer = { type: 'api_key', id: key.key_id, name: key.key_name };
    const last_review = {
      result: 'reaffirm',
      note: 'Still the best.',
      reviewer,
      reviewed_at: body.updated_at,
    };
    const same = { status: 'accepted', quality_score: decision.quality_score, version: 2 };
    expect([status, body]).toMatchObject([201, { ...same, review_by: inMonths(6), last_review }]);
    const history = (await suite.get(key, `/decisions/${decision.id}/history`)).body.data[0];
    const changes = {
      review_by: { before: decision.review_by, after: inMonths(6) },
      last_review: { before: null, after: last_review },
    };
    expect(history).toMatchObject({ version: 2, actor: reviewer, changes });
    const events = await suite.eventsAbout(decision.id, [
      ...(['decision.created', 'decision.updated', 'decision.reviewed'] as const),
    ]);
    expect(events.map(({ action }) => action)).toEqual(['decision.create', 'decision.review', null]);
    expect(events[2]!.data).toEqual({ decision: body, review: last_review });
  });

  it('clears the date without an interval, and keeps each of two reviews at once', async () => {
    const person = sessionPrincipal({ role: 'member' });
    const decision = await suite.create(person, { ...ACCEPTED, reviewBy: '2026-01-01' });
    const both = ['reaffirm', 'change'].map((result) => review(person, decision, { result }));
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([201, 201]);
    const { body } = await suite.get(person, `/decisions/${decision.id}`, { include: 'history' });
    expect(body).toMatchObject({ status: 'accepted', review_by: null, version: 3 });
    const results = body.included.history.data.map(
      ({ changes }: never) => changes['last_review']?.['after']?.['result'],
    );
    expect(results.toSorted()).toEqual(['change', 'reaffirm', undefined]);
  });

  it('supersedes by another decision, once', async () => {
    const key = keyPrincipal();
    const [old, taken] = [await suite.create(key, ACCEPTED), await suite.create(key, ACCEPTED)];
    const successor = await suite.create(key, { title: 'Its successor' });
    const by = (supersededBy: string) => review(key, old, { result: 'supersede', supersededBy });
    await suite.patch(key, taken.id, { supersedes: successor.id });
    for (const refused of [await by(old.id), await by(newId())])
      expect([refused.status, refused.body.issues]).toEqual([
        400,
        [{ path: 'supersededBy', message: expect.any(String) }],
      ]);
    expect((await by(taken.id)).status).toBe(409);
    const { status, body } = await by(successor.id);
    expect([status, body]).toMatchObject([201, { status: 'archived', review_by: null, version: 2 }]);
    expect((await suite.get(key, `/decisions/${successor.id}`)).body.supersedes).toBe(old.id);
    const events = await suite.eventsAbout(successor.id, ['decision.created', 'decision.updated']);
    expect(events[1]!.action).toBe('decision.update');
    expect(await by(successor.id)).toMatchObject({ status: 409, body: { error: 'CONFLICT' } });
  });

  it('compares the conditions of the request with the reviewed decision only', async () => {
    const key = keyPrincipal();
    const old = await suite.create(key, ACCEPTED);
    const reviewed = await suite.patch(key, old.id, { title: 'A better choice' });
    const { id: supersededBy } = await suite.create(key, { title: 'Its successor' });
    const by = (headers: object) => review(key, old, { result: 'supersede', supersededBy }, headers);
    expect((await by({ 'If-None-Match': '"v2"' })).status).toBe(412);
    const { status } = await by({ 'If-Match': `"v${reviewed.body.version}"`, 'If-None-Match': '"v1"' });
    expect(status).toBe(201);
  });

  it.each(['proposed', 'rejected'])('refuses a %s decision in words', async (status) => {
    const key = keyPrincipal();
    const { status: code, body } = await review(key, await suite.create(key, { ...ACCEPTED, status }), {
      result: 'reaffirm',
    });
    const message = `Only an accepted decision can be reviewed; this one is ${status}.`;
    expect([code, body]).toMatchObject([409, { error: 'CONFLICT', message }]);
  });

  it.each([
    ['an unknown result', { result: 'fine' }],
    ['a successor of a reaffirmed decision', { result: 'reaffirm', supersededBy: newId() }],
    ['no successor', { result: 'supersede' }],
    ['a long note', { result: 'change', note: 'x'.repeat(2_001) }],
  ])('refuses %s', async (_, body) => {
    const key = keyPrincipal();
    expect((await review(key, await suite.create(key, ACCEPTED), body)).status).toBe(400);
  });

  it('refuses an older version', async () => {
    const key = keyPrincipal();
    const decision = await suite.create(key, ACCEPTED);
    const stale = await review(key, decision, { result: 'reaffirm' }, { 'If-Match': '"v9"' });
    expect(stale.status).toBe(412);
  });
});

describe('reviewEveryMonths', () => {
  it('begins when the decision is accepted, and gives it a date while it has an interval', async () => {
    const key = keyPrincipal();
    const { id, review_by } = await suite.create(key, { title: 'x', reviewEveryMonths: 3 });
    const accepted = await suite.patch(key, id, { status: 'accepted' });
    expect([review_by, accepted.body.review_by]).toEqual([null, inMonths(3)]);
    expect((await suite.create(key, { ...ACCEPTED, reviewEveryMonths: 1 })).review_by).toBe(inMonths(1));
    expect((await suite.patch(key, id, { reviewBy: null })).body).toEqual(accepted.body);
    const ended = await suite.patch(key, id, { reviewBy: null, reviewEveryMonths: null });
    expect(ended.body).toMatchObject({ review_by: null, review_every_months: null });
  });

  it.each([0, 61, 1.5, '6'])('cannot be %p', async (reviewEveryMonths) => {
    expect((await suite.post(keyPrincipal(), { title: 'x', reviewEveryMonths })).status).toBe(400);
  });
});
