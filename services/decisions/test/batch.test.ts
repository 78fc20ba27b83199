import { describe, expect, it } from '@jest/globals';
import { type BatchItemResult, newId, type Principal } from '@waymark/contracts';
import { keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();
type Key = ReturnType<typeof keyPrincipal>;

interface Options {
  atomic?: boolean;
  key?: string;
  size?: number;
  workspaceId?: string;
}
const send = (caller: Principal, operations: object[], options: Options = {}) =>
  suite.call(caller, 'POST', '/internal/batches/decisions', {
    query: { workspaceId: options.workspaceId ?? (caller as Key).workspace_id },
    body: { operations, ...(options.atomic && { atomic: true }) },
    headers: {
      'batch-size': String(options.size ?? operations.length),
      ...(options.key && { 'idempotency-key': options.key }),
    },
  });
const create = (title: string, more = {}) => ({ operation: 'createDecision', body: { title, ...more } });
const statuses = (results: BatchItemResult[]) => results.map(({ status }) => status);
const titlesOf = async (key: Key) =>
  (await suite.get(key, '/decisions', { limit: 500 })).body.decisions.map(
    ({ title }: { title: string }) => title,
  );

describe('the decisions of a batch', () => {
  it('are changed in order, each with its event, its audit action and its result', async () => {
    const key = keyPrincipal();
    const old = await suite.create(key, { title: 'Old' });
    const gone = await suite.create(key, { title: 'Gone' });
    const { body } = await send(key, [
      create('New', { outcome: 'success' }),
      { operation: 'updateDecision', id: old.id, ifMatch: '"v1"', body: { title: 'Changed' } },
      { operation: 'putDecisionByExternalId', externalId: 'A', body: { title: 'Named' } },
      { operation: 'put_decision', externalId: 'A', body: { title: 'Named' } },
    ]);
    expect(body.issues[0].path).toBe('operations.3.operation');

    const answer = await send(key, [
      create('New', { outcome: 'success' }),
      { operation: 'updateDecision', id: old.id, if_match: '"v1"', body: { title: 'Changed' } },
      { operation: 'putDecisionByExternalId', externalId: 'A', body: { title: 'Named' } },
      { operation: 'putDecisionByExternalId', external_id: 'A', body: { title: 'Named' } },
      { operation: 'deleteDecision', id: gone.id },
    ]);
    const { results } = answer.body;
    expect(statuses(results)).toEqual([201, 200, 201, 200, 204]);
    expect(results[3].body).toEqual(results[2].body);
    expect(results[4]).toEqual({ status: 204, body: null, error: null });
    expect(await titlesOf(key)).toEqual(['Named', 'New', 'Changed']);
    const [, changed] = await suite.eventsAbout(old.id, ['decision.created', 'decision.updated']);
    expect(changed).toMatchObject({ action: 'decision.update', data: results[1].body });
    const made = await suite.eventsAbout(results[0].body.id, ['decision.created', 'decision.outcome_logged']);
    expect(made.map(({ action }) => action)).toEqual(['decision.create', null]);
    await suite.eventsAbout(gone.id, ['decision.created', 'decision.deleted']);
  });

  it('refuses an if_match without quotes', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key);
    const { status, body } = await send(key, [
      { operation: 'updateDecision', id, if_match: 'v1', body: { title: 'Changed' } },
    ]);
    expect([status, body.issues]).toEqual([
      400,
      [{ path: 'operations.0.ifMatch', message: expect.stringContaining('with its quotes') }],
    ]);
  });

  it('succeed or fail alone', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key, { title: 'Old', externalId: 'A' });
    const { body } = await send(key, [
      create('First'),
      { operation: 'updateDecision', id: newId(), body: { title: 'Nobody' } },
      { operation: 'updateDecision', id, ifMatch: '"v9"', body: { title: 'Stale' } },
      create('Second'),
      create('Taken', { externalId: 'A' }),
      { operation: 'updateDecision', id, body: { title: 'Changed' } },
      create('Linked', { supersedes: newId() }),
    ]);
    expect(statuses(body.results)).toEqual([201, 404, 412, 201, 409, 200, 400]);
    expect(body.results.map(({ error }: BatchItemResult) => error?.error ?? null)).toEqual([
      ...[null, 'NOT_FOUND', 'PRECONDITION_FAILED', null, 'CONFLICT', null, 'VALIDATION_ERROR'],
    ]);
    expect(await titlesOf(key)).toEqual(['Second', 'First', 'Changed']);
  });

  it('all take effect or none, and the refusal names its operation', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key, { title: 'Old' });
    const operations = [
      create('First'),
      { operation: 'deleteDecision', id },
      { operation: 'updateDecision', id: newId(), body: { title: 'Nobody' } },
      create('Last'),
    ];
    const refused = await send(key, operations, { atomic: true });
    expect(refused.body).toMatchObject({ results: [], refused: { index: 2, error: { error: 'NOT_FOUND' } } });
    expect(await titlesOf(key)).toEqual(['Old']);
    const done = await send(key, operations.toSpliced(2, 1), { atomic: true });
    expect(statuses(done.body.results)).toEqual([201, 204, 201]);
    expect(await titlesOf(key)).toEqual(['Last', 'First']);
    await suite.eventsAbout(id, ['decision.created', 'decision.deleted']);
  });

  it('are done once, however often the request is repeated', async () => {
    const refused = { operation: 'updateDecision', id: newId(), body: { title: 'Nobody' } };
    const operations = [create('First'), refused, create('Second'), refused, create('Third')];
    for (const atomic of [false, true]) {
      const key = keyPrincipal();
      const options = { key: newId(), atomic };
      const sent = atomic ? operations.filter((one) => one !== refused) : operations;
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(key, sent, options)));
      const done = answers.filter(({ status }) => status === 200);
      expect(done.length).toBeGreaterThan(0);
      for (const { status } of answers) expect([200, 409]).toContain(status);
      expect(
        new Set(done.map(({ body }) => JSON.stringify(body.results.map((r: BatchItemResult) => r.body))))
          .size,
      ).toBe(1);
      const again = await send(key, sent, options);
      expect(again.body.results.map(({ body }: BatchItemResult) => body)).toEqual(
        done[0]!.body.results.map(({ body }: BatchItemResult) => body),
      );
      expect((await titlesOf(key)).sort()).toEqual(['First', 'Second', 'Third']);
    }
  });

  it('can be so large that their results need several transactions', async () => {
    const key = keyPrincipal();
    const long = '日'.repeat(20_000);
    const fields = { description: long, rationale: long, resolution: long };
    const decisions = suite.collection<{ _id: string; version: number }>('decisions');
    const { id } = await suite.create(key, { title: 'Large', ...fields });
    const { _id, ...model } = (await decisions.findOne({ _id: id }))!;
    const ids = Array.from({ length: 50 }, () => newId());
    await decisions.insertMany(ids.map((one) => ({ _id: one, ...model })));
    const updates = ids.map((one) => ({ operation: 'updateDecision', id: one, body: { tags: ['large'] } }));
    const { body: atomic } = await send(key, updates, { atomic: true, key: newId() });
    expect(atomic.refused.error.error).toBe('LIMIT_EXCEEDED');
    const repeatable = { key: newId() };
    const { body } = await send(key, updates, repeatable);
    expect(body.results.map(({ body: after }: BatchItemResult) => after!['version'])).toEqual(
      updates.map(() => 2),
    );
    expect((await send(key, updates, repeatable)).body).toEqual(body);
    // As if the process had died before the last part was stored.
    const last = await decisions.findOneAndUpdate({ _id: ids.at(-1)! }, { $set: { version: 1, tags: [] } });
    const parts = suite.collection('idempotency');
    const { deletedCount } = await parts.deleteMany({ result: { $regex: ids.at(-1)! } });
    expect([last!.version, deletedCount]).toEqual([2, 1]);
    await send(key, updates, repeatable);
    const found = await decisions.find({ _id: { $in: ids } }).toArray();
    expect(new Set(found.map((one) => one.version))).toEqual(new Set([2]));
  });

  it('need one transaction although every second one is refused', async () => {
    const key = keyPrincipal();
    const [{ id: older }, { id: newer }] = [
      await suite.create(key, { title: 'Older' }),
      await suite.create(key, { title: 'Newer' }),
    ];
    await suite.patch(key, newer, { supersedes: older });
    const refused = [
      { operation: 'updateDecision', id: newId(), body: { title: 'Nobody' } },
      { operation: 'updateDecision', id: older, ifMatch: '"v9"', body: { title: 'Stale' } },
      { operation: 'updateDecision', id: older, body: { supersedes: newer } },
      create('Unknown', { supersedes: newId() }),
    ];
    const operations = Array.from({ length: 48 }, (_, i) =>
      i % 2 === 0 ? create(`${i}`) : refused[(i >> 1) % 4]!,
    );
    // Each transaction stores a record of its results.
    const transactions = () => suite.collection('idempotency').countDocuments();
    const before = await transactions();
    const { body } = await send(key, operations, { key: newId() });
    expect(statuses(body.results).slice(0, 8)).toEqual([201, 404, 201, 412, 201, 409, 201, 400]);
    expect((await transactions()) - before).toBe(1);
    expect(await titlesOf(key)).toHaveLength(26);
  });

  it('stay in the workspace of the batch', async () => {
    const [mine, theirs] = [keyPrincipal(), keyPrincipal()];
    const foreign = await suite.create(theirs, { title: 'Theirs' });
    const { body } = await send(mine, [
      { operation: 'updateDecision', id: foreign.id, body: { title: 'Mine now' } },
      create('Theirs', { workspaceId: theirs.workspace_id }),
    ]);
    expect(body.results.map(({ status, error }: BatchItemResult) => [status, error?.error])).toEqual([
      [403, 'WORKSPACE_MISMATCH'],
      [403, 'WORKSPACE_MISMATCH'],
    ]);
    expect(await titlesOf(theirs)).toEqual(['Theirs']);
  });

  it('are refused with a wrong size, a read key and the role of a viewer, and nothing is stored', async () => {
    const key = keyPrincipal();
    const operations = [create('A'), create('B')];
    for (const size of [1, 3, 100]) {
      const { status, body } = await send(key, operations, { size });
      expect([status, body.issues[0].path]).toEqual([400, 'Batch-Size']);
    }
    const reader = await send({ ...key, scopes: ['read'] }, operations);
    expect([reader.status, reader.body.error]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    const viewer = sessionPrincipal({ role: 'viewer' });
    const refused = await send(viewer, operations, { workspaceId: viewer.membership!.workspace_id });
    expect([refused.status, refused.body.error]).toEqual([403, 'FORBIDDEN']);
    expect(await titlesOf(key)).toEqual([]);
  });
});
