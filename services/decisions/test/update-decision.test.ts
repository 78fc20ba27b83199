import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();

describe('PATCH /decisions/{id}', () => {
  it('changes the given fields and reports the changes', async () => {
    const key = keyPrincipal();
    const before = await suite.create(key, { title: 'A choice', description: 'Why', tags: ['a'] });
    suite.clock.nowMs += 5_000;
    const body = { title: 'Another', rationale: 'r'.repeat(300), status: 'archived', tags: ['a'] };
    const answer = await suite.patch(key, before.id, body);
    expect(answer.status).toBe(200);
    expect(answer.headers['etag']).toBe('"v2"');
    expect(answer.body).toEqual({
      ...before,
      ...body,
      version: 2,
      quality_score: before.quality_score - 2 + 10,
      updated_at: new Date(suite.clock.nowMs).toISOString(),
    });
    expect((await suite.get(key, `/decisions/${before.id}`)).body).toEqual(answer.body);

    const changes = {
      title: { before: 'A choice', after: 'Another' },
      rationale: { before: null, after: body.rationale },
      status: { before: 'proposed', after: 'archived' },
    };
    const [, event] = await suite.eventsAbout(before.id, ['decision.created', 'decision.updated']);
    expect(event).toMatchObject({ action: 'decision.update', subject: { version: 2 }, data: answer.body });
    expect(event!.changes).toEqual(changes);
  });

  it('allows every status after every other, and the workspace in the body', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key);
    for (const status of ['archived', 'accepted', 'rejected', 'archived', 'proposed']) {
      const body = { status, workspaceId: key.workspace_id };
      const answer = await suite.call(key, 'PATCH', `/decisions/${id}`, { body });
      expect([answer.status, answer.body.status]).toEqual([200, status]);
    }
  });

  it('creates no version, event or history entry when nothing changes', async () => {
    const key = keyPrincipal();
    const options = [{ title: 'A', pros: ['p'], cons: [] }, 'B'];
    const given = { title: 'Same', optionsConsidered: options, expectedBy: '2027-01-01', outcome: 'success' };
    const before = await suite.create(key, given);
    for (const body of [{}, given, { title: 'Same' }, { outcome: 'success', resolution: null }]) {
      expect((await suite.patch(key, before.id, body)).body).toEqual(before);
    }
    await suite.patch(key, before.id, { title: 'Other' });
    await suite.eventsAbout(before.id, ['decision.created', 'decision.outcome_logged', 'decision.updated']);
    expect((await suite.get(key, `/decisions/${before.id}/history`)).body.data).toHaveLength(2);
  });

  it('applies all concurrent changes of different fields', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key);
    const bodies = [
      { title: 'New title' },
      { question: 'New question?' },
      { description: 'New description' },
      { status: 'accepted' },
      { resolution: 'New resolution' },
      { rationale: 'New rationale' },
      { optionsConsidered: ['A', 'B'] },
      { criteria: ['cost'] },
      { tags: ['new'] },
      { decidedBy: 'Ada' },
    ];
    const answers = await Promise.all(bodies.map((body) => suite.patch(key, id, body)));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(
      bodies.map((_, i) => i + 2),
    );
    const after = (await suite.get(key, `/decisions/${id}`)).body;
    const { body: quality } = await suite.get(key, `/decisions/${id}/quality`);
    const {
      optionsConsidered: options_considered,
      decidedBy: decided_by,
      ...others
    } = Object.assign({}, ...bodies);
    const given = { ...others, options_considered, decided_by };
    expect(after).toMatchObject({ ...given, version: 11, quality_score: quality.score });
  });

  it('honours If-Match: only one of several callers with the same version succeeds', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key);
    const headers = { 'if-match': '"v1"' };
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((title) => suite.patch(key, id, { title }, { headers })),
    );
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(3);
    const winner = answers.find(({ status }) => status === 200)!;
    expect((await suite.get(key, `/decisions/${id}`)).body).toEqual(winner.body);
    for (const match of ['"v1", "v7"', 'W/"v2"', '"v1", W/"v2"']) {
      const stale = await suite.patch(key, id, {}, { headers: { 'if-match': match } });
      expect([stale.status, stale.body.error]).toEqual([412, 'PRECONDITION_FAILED']);
    }
    for (const match of ['"v2"', '"v1", "v2"', 'W/"v2", "v2"', '*']) {
      expect((await suite.patch(key, id, {}, { headers: { 'if-match': match } })).status).toBe(200);
    }
  });

  it('says that a condition lacks its quotes, instead of that the decision has changed', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key);
    const issuesOf = async (headers: Record<string, string>) =>
      (await suite.patch(key, id, { title: 'New' }, { headers })).body.issues;
    const issue = (path: string) => [{ path, message: expect.stringContaining('with its quotes') }];
    for (const tag of ['v1', '"v1', "'v1'", '1', '"v1", v2', '']) {
      expect(await issuesOf({ 'if-match': tag })).toEqual(issue('If-Match'));
      expect(await issuesOf({ 'if-none-match': tag })).toEqual(issue('If-None-Match'));
    }
    const read = await suite.call(key, 'GET', `/decisions/${id}`, { headers: { 'if-none-match': 'v1' } });
    expect([read.status, read.body.version]).toEqual([200, 1]);
  });

  it('applies every one of 128 concurrent changes without If-Match', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key);
    const titles = Array.from({ length: 128 }, (_, i) => `Title ${i}`);
    const answers = await Promise.all(titles.map((title) => suite.patch(key, id, { title })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await suite.get(key, `/decisions/${id}`)).body.version).toBe(129);
  });

  it('stores nothing once the gateway is about to stop waiting', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key);
    const headers = { 'x-waymark-timeout-ms': '0' };
    const answer = await suite.patch(key, id, { title: 'Too late' }, { headers });
    expect([answer.status, answer.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await suite.post(key, { title: 'T' }, { headers })).status).toBe(503);
    const { decisions } = (await suite.get(key, '/decisions')).body;
    expect(decisions).toEqual([expect.objectContaining({ id, version: 1 })]);
  });

  it('accepts null for an optional field, and keeps the title of a removed question', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key, { question: 'Q?', resolution: 'R', expectedBy: '2027-01-01' });
    const answer = await suite.patch(key, id, { question: null, resolution: null, expectedBy: null });
    expect(answer.body).toMatchObject({ title: 'Q?', question: null, resolution: null, expected_by: null });
  });

  it.each<[string, string, object]>([
    ['title', 'an empty title', { title: '' }],
    ['title', 'a blank title', { title: ' \u00a0' }],
    ['title', 'no title', { title: null }],
    ['tags', 'tags as text', { tags: 'a' }],
    ['status', 'an unknown status', { status: 'done' }],
    ['version', 'the version', { version: 7 }],
    ['quality_score', 'the score', { quality_score: 100 }],
    ['outcomeConfidence', 'a negative confidence', { outcome_confidence: -0.1 }],
    ['supersedes', 'a link to nothing', { supersedes: newId() }],
  ])('refuses, naming %s: %s', async (path, _, body) => {
    const key = keyPrincipal();
    const before = await suite.create(key);
    const answer = await suite.patch(key, before.id, body);
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.issues[0].path).toBe(path);
    expect((await suite.get(key, `/decisions/${before.id}`)).body).toEqual(before);
  });

  it('refuses to exceed the total size', async () => {
    const key = keyPrincipal();
    const long = '€'.repeat(20_000);
    const { id } = await suite.create(key, {
      title: 'T',
      description: long,
      rationale: long,
      resolution: long,
    });
    const answer = await suite.patch(key, id, { outcomeNotes: long });
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, 'body']);
  });
});
