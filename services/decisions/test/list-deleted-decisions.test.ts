import { describe, expect, it } from '@jest/globals';
import { keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = startSuite();

type Key = ReturnType<typeof keyPrincipal>;
const deleted = (key: Key, query = {}) => suite.get(key, '/decisions/deleted', query);

/** Deletes a new decision at a later second, and returns what the list must have of it. */
async function deletedOne(key: Key) {
  const { id } = await suite.create(key);
  suite.clock.nowMs += 1_000;
  await suite.call(key, 'DELETE', `/decisions/${id}`, { query: { workspaceId: key.workspace_id } });
  return { id, version: 2, deleted_at: new Date(suite.clock.nowMs).toISOString() };
}

describe('GET /decisions/deleted', () => {
  it('lists deletions in their order, in pages and since a time', async () => {
    const key = keyPrincipal();
    await suite.create(key, { title: 'Kept' });
    const made = [await deletedOne(key), await deletedOne(key), await deletedOne(key)];
    expect((await deleted(key)).body).toEqual({ data: made, next_cursor: null });
    const { body: first } = await deleted(key, { limit: 2 });
    expect(first.data).toEqual(made.slice(0, 2));
    const { body: second } = await deleted(key, { limit: 2, cursor: first.next_cursor });
    expect(second).toEqual({ data: made.slice(2), next_cursor: null });
    expect((await deleted(key, { since: made[1]!.deleted_at })).body.data).toEqual(made.slice(1));
    expect((await deleted(keyPrincipal())).body.data).toEqual([]);
  });

  it('refuses a time before the deletions that it knows, a bad cursor, and another workspace', async () => {
    const key = keyPrincipal();
    await deletedOne(key);
    await deletedOne(key);
    const old = new Date(suite.clock.nowMs - 61 * 86_400_000).toISOString();
    const gone = { error: 'POSITION_GONE', reason: 'expired' };
    expect(await deleted(key, { since: old })).toMatchObject({ status: 410, body: gone });
    const { body } = await deleted(key, { limit: 1 });
    const since = new Date(suite.clock.nowMs - 86_400_000).toISOString();
    expect((await deleted(key, { since, cursor: body.next_cursor })).status).toBe(400);
    const query = { workspaceId: keyPrincipal().workspace_id };
    expect((await suite.call(key, 'GET', '/decisions/deleted', { query })).status).toBe(403);
  });
});
