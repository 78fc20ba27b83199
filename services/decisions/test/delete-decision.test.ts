import { describe, expect, it } from '@jest/globals';
import { keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();

type Key = ReturnType<typeof keyPrincipal>;
const { remove } = suite;

describe('DELETE /decisions/{id}', () => {
  it('removes the decision with all that belongs to it, and emits one event', async () => {
    const key = keyPrincipal();
    const kept = await suite.create(key, { title: 'Kept', outcome: 'success' });
    const { id } = await suite.create(key, { title: 'Gone', outcome: 'failure' });
    const ofDecision = { workspace_id: key.workspace_id, decision_id: id };
    for (const name of ['approvals', 'forecasts'])
      await suite.one.database.collection(name).insertOne({ ...ofDecision });
    await suite.patch(key, id, { outcome: 'partial' });
    const answer = await remove(key, id);
    expect([answer.status, answer.text]).toEqual([204, '']);

    const stored = (name: string) =>
      suite.one.database.collection(name).find({ workspace_id: key.workspace_id });
    expect((await stored('decisions').toArray()).map(({ _id }) => _id)).toEqual([kept.id]);
    expect((await stored('outcomes').toArray()).map(({ decision_id }) => decision_id)).toEqual([kept.id]);
    for (const name of ['history', 'approvals', 'forecasts'])
      expect(await stored(name).toArray()).toEqual([]);
    for (const path of ['', '/outcomes', '/history', '/quality']) {
      expect((await suite.get(key, `/decisions/${id}${path}`)).status).toBe(404);
    }
    expect((await remove(key, id)).status).toBe(404);
    const events = await suite.eventsAbout(id, [
      'decision.created',
      'decision.outcome_logged',
      'decision.updated',
      'decision.outcome_logged',
      'decision.deleted',
    ]);
    expect(events[4]).toMatchObject({
      action: 'decision.delete',
      data: { id },
      subject: { version: 3 },
      changes: { title: { before: 'Gone', after: null } },
    });
  });

  it('deletes an imported decision that was deleted in its original workspace', async () => {
    const [from, to] = [keyPrincipal(), keyPrincipal()];
    const decision = await suite.create(from);
    const { id } = decision;
    expect((await remove(from, id)).status).toBe(204);
    const bring = () => suite.import(to, [decision]);
    expect((await bring()).body).toMatchObject({ stored: 1 });
    expect((await remove(to, id)).status).toBe(204);
    expect((await bring()).body).toMatchObject({ stored: 1 });
    expect((await suite.get(to, `/decisions/${id}`)).body.version).toBe(3);
  });

  it('succeeds for only one of several concurrent requests', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key);
    const answers = await Promise.all(Array.from({ length: 8 }, () => remove(key, id)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(7);
    await suite.eventsAbout(id, ['decision.created', 'decision.deleted']);
  });
});

const deleted = (key: Key, query = {}) => suite.get(key, '/decisions/deleted', query);

/** Deletes a new decision at a later second, and returns what the list must have of it. */
async function deletedOne(key: Key) {
  const { id } = await suite.create(key);
  suite.clock.nowMs += 1_000;
  await remove(key, id);
  return { id, version: 2, deleted_at: new Date(suite.clock.nowMs).toISOString() };
}

describe('GET /decisions/deleted', () => {
  it('lists deletions in their order, in pages and since a time', async () => {
    const key = keyPrincipal();
    await suite.create(key, { title: 'Kept' });
    const made = [await deletedOne(key), await deletedOne(key), await deletedOne(key)];
    expect((await deleted(key)).body).toEqual({ data: made, next_cursor: null });
    expect(await suite.pages(key, '/decisions/deleted', { limit: 2 })).toEqual(made);
    expect((await deleted(key, { since: made[1]!.deleted_at })).body.data).toEqual(made.slice(1));
    expect((await deleted(keyPrincipal())).body.data).toEqual([]);
  });

  it('refuses a time before the deletions that it knows, and the cursor of another list', async () => {
    const key = keyPrincipal();
    await deletedOne(key);
    await deletedOne(key);
    const old = new Date(suite.clock.nowMs - 61 * 86_400_000).toISOString();
    const gone = { error: 'POSITION_GONE', reason: 'expired' };
    expect(await deleted(key, { since: old })).toMatchObject({ status: 410, body: gone });
    const { body } = await deleted(key, { limit: 1 });
    const since = new Date(suite.clock.nowMs - 86_400_000).toISOString();
    expect((await deleted(key, { since, cursor: body.next_cursor })).status).toBe(400);
  });
});
