import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { type CallInput, keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();
type Key = ReturnType<typeof keyPrincipal>;

const put = (key: Key, externalId: string, body: object, input: CallInput = {}) =>
  suite.call(key, 'PUT', `/decisions/by-external-id/${encodeURIComponent(externalId)}`, {
    query: { workspaceId: key.workspace_id },
    body,
    ...input,
  });

describe('PUT /decisions/by-external-id/{externalId}', () => {
  it('creates a decision once, changes it, and does nothing when a request repeats it', async () => {
    const key = keyPrincipal();
    const stored = { title: 'Use MongoDB', tags: ['storage'], outcome: 'success' };
    const body = {
      ...stored,
      expectedBy: '2027-01-31',
      optionsConsidered: ['A', 'B'],
      outcomeConfidence: 0.8,
    };
    const created = await put(key, 'PROJ-1', body);
    expect([created.status, created.headers['etag']]).toEqual([201, '"v1"']);
    expect(created.body).toMatchObject({ ...stored, external_id: 'PROJ-1', version: 1 });

    const repeated = await put(key, 'PROJ-1', body);
    expect([repeated.status, repeated.body]).toEqual([200, created.body]);
    const changed = await put(key, 'PROJ-1', { title: 'Use MongoDB 8' });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ id: created.body.id, tags: ['storage'], version: 2 });

    const events = await suite.eventsAbout(created.body.id, [
      'decision.created',
      'decision.outcome_logged',
      'decision.updated',
    ]);
    expect(events.map(({ action }) => action)).toEqual(['decision.create', null, 'decision.update']);
    const listed = await suite.get(key, '/decisions', { externalId: 'PROJ-1' });
    expect(listed.body.decisions).toEqual([changed.body]);
    expect((await suite.get(key, '/decisions', { externalId: 'PROJ-2' })).body.decisions).toEqual([]);
    expect((await suite.get(key, '/decisions/export-csv')).text).toContain('PROJ-1');
  });

  it('makes one record of concurrent requests', async () => {
    for (let round = 0; round < 2; round += 1) {
      const key = keyPrincipal();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => put(key, `PROJ-${round}`, { title: 'Same', tags: [`${i}`] })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect((await suite.get(key, '/decisions')).body.decisions).toHaveLength(1);
    }
  });

  it('honours If-Match, and creates nothing with it', async () => {
    const key = keyPrincipal();
    const match = (etag: string) => ({ headers: { 'if-match': etag } });
    expect((await put(key, 'A', { title: 'A' }, match('"v1"'))).status).toBe(412);
    expect((await put(key, 'A', { title: 'A' })).status).toBe(201);
    expect((await put(key, 'A', { title: 'B' }, match('"v2"'))).status).toBe(412);
    expect((await put(key, 'A', { title: 'B' }, match('"v1"'))).status).toBe(200);
  });

  it('with If-None-Match creates only', async () => {
    const key = keyPrincipal();
    const none = { headers: { 'if-none-match': '*' } };
    expect((await put(key, 'A', { title: 'A' }, none)).status).toBe(201);
    const again = await put(key, 'A', { title: 'B' }, none);
    expect([again.status, again.body.message]).toEqual([412, expect.stringContaining('If-None-Match')]);
    expect((await put(key, 'A', { title: 'B' }, { headers: { 'if-none-match': '"v7"' } })).status).toBe(200);
  });

  it('refuses a body that could not create the decision', async () => {
    const key = keyPrincipal();
    const issueOf = async (body: object) => (await put(key, 'A', body)).body.issues[0].path;
    expect(await issueOf({ tags: [] })).toBe('title');
    expect(await issueOf({ title: 'A', externalId: 'B' })).toBe('externalId');
    expect(await issueOf({ title: 'A', status: 'archived' })).toBe('status');
    const created = await suite.post(key, { title: 'A', externalId: '..' });
    expect(created.body.issues[0].path).toBe('externalId');
  });

  it('names another decision in each workspace', async () => {
    const [mine, theirs] = [keyPrincipal(), keyPrincipal()];
    const [first, second] = [await put(mine, 'A', { title: 'Mine' }), await put(theirs, 'A', { title: 'T' })];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).not.toBe(first.body.id);
  });
});

describe('an external id', () => {
  it('belongs to one decision of a workspace', async () => {
    const key = keyPrincipal();
    const first = await suite.create(key, { title: 'First', externalId: 'A' });
    const other = await suite.create(key, { title: 'Other' });
    for (const answer of [
      await suite.post(key, { title: 'Second', externalId: 'A' }),
      await suite.patch(key, other.id, { externalId: 'A' }),
    ]) {
      expect([answer.status, answer.body.error, answer.body.issues[0].path]).toEqual([
        409,
        'CONFLICT',
        'externalId',
      ]);
      expect(answer.body.message).toContain(first.id);
    }
    expect((await suite.patch(key, first.id, { externalId: null })).status).toBe(200);
    expect((await suite.patch(key, other.id, { externalId: 'A' })).body.external_id).toBe('A');
    const [, event] = await suite.eventsAbout(other.id, ['decision.created', 'decision.updated']);
    expect(event!.changes).toEqual({ external_id: { before: null, after: 'A' } });
  });

  it('is given to one of several concurrent creations', async () => {
    const key = keyPrincipal();
    const create = () => suite.post(key, { title: 'One', externalId: 'A' });
    const answers = await Promise.all(Array.from({ length: 12 }, create));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)]);
  });

  it('is left out by an import when another decision has it', async () => {
    const key = keyPrincipal();
    const decision = await suite.create(key, { title: 'Here', externalId: 'A' });
    const copies = [
      { ...decision, id: newId() },
      { ...decision, id: newId(), external_id: 'B' },
      { ...decision, id: newId(), external_id: 'B' },
    ];
    const { body } = await suite.import(key, [decision, ...copies]);
    expect(body).toMatchObject({ stored: 3, unnamed: [copies[0]!.id, copies[2]!.id] });
    const named = [decision, ...copies].map(
      async ({ id }) => (await suite.get(key, `/decisions/${id}`)).body,
    );
    expect((await Promise.all(named)).map(({ external_id }) => external_id)).toEqual(['A', null, 'B', null]);
  });
});
