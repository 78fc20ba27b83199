import { describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { holdTrash, purgeTrash } from '@waymark/service-kit/store';
import { keyPrincipal } from '@waymark/testing';
import { erasePersonFromDecisions } from '../src/operator.ts';
import { startSuite } from './suite.ts';

const suite = await startSuite();

type Key = ReturnType<typeof keyPrincipal>;
const restore = (key: Key, id: string) => suite.send(key, 'POST', `/decisions/${id}/restore`);
const trash = async (key: Key, query = {}) => (await suite.get(key, '/decisions/trash', query)).body;

/** A decision with an outcome and a change of its title, deleted. */
async function deletedOne(key: Key, body = {}) {
  const { id } = await suite.create(key, { title: 'Gone', outcome: 'failure', ...body });
  await suite.patch(key, id, { title: 'Gone for good' });
  const parts = async () => ({
    outcomes: (await suite.get(key, `/decisions/${id}/outcomes`)).body,
    history: (await suite.get(key, `/decisions/${id}/history`)).body,
  });
  const before = { ...(await suite.get(key, `/decisions/${id}`)).body, ...(await parts()) };
  suite.clock.nowMs += 1_000;
  await suite.remove(key, id);
  return { id, before, parts };
}

describe('GET /decisions/trash', () => {
  it('lists deleted decisions, latest first, with who deleted them and until when they are kept', async () => {
    const key = keyPrincipal();
    const [first, second] = [await deletedOne(key), await deletedOne(key)];
    const deletedAt = suite.clock.nowMs;
    const { data } = await trash(key);
    expect(data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    expect(data[0]).toEqual({
      ...{ kind: 'decision', id: second.id, title: 'Gone for good', version: 3 },
      ...{ workflow_id: null, node_id: null, decision_id: null },
      deleted_at: new Date(deletedAt).toISOString(),
      deleted_by: { type: 'api_key', id: key.key_id, name: key.key_name },
      purged_at: new Date(deletedAt + limits.trashDays * 86_400_000).toISOString(),
    });
    const pages = await suite.pages(key, '/decisions/trash', { limit: 1 });
    expect(pages).toEqual(data);
    expect((await trash(keyPrincipal())).data).toEqual([]);
  });
});

describe('POST /decisions/{id}/restore', () => {
  it('brings back the decision with all that was deleted with it, and emits its creation', async () => {
    const key = keyPrincipal();
    const { id, before, parts } = await deletedOne(key);
    const answer = await restore(key, id);
    expect([answer.status, answer.headers.etag]).toEqual([200, '"v4"']);
    const { outcomes, history, ...decision } = before;
    const updated_at = new Date(suite.clock.nowMs).toISOString();
    expect(answer.body).toEqual({ ...decision, version: 4, updated_at });
    expect(await parts()).toEqual({ outcomes, history });
    expect((await trash(key)).data).toEqual([]);
    expect((await suite.get(key, '/decisions/deleted')).body.data).toEqual([]);
    expect((await suite.get(key, '/decisions')).body.decisions).toEqual([answer.body]);
    const events = await suite.eventsAbout(id, [
      ...(['decision.created', 'decision.outcome_logged', 'decision.updated', 'decision.deleted'] as const),
      ...(['decision.created', 'decisions.restored'] as const),
    ]);
    expect(events[4]).toMatchObject({
      action: 'decision.restore',
      data: answer.body,
      subject: { version: 4 },
    });
    expect(events[5]).toMatchObject({ action: null, data: { decisions: [{ id, version: 3 }] } });
  });

  it('answers a restored decision as it is, and deletes and restores it again', async () => {
    const key = keyPrincipal();
    const { id } = await deletedOne(key);
    const answers = await Promise.all([restore(key, id), restore(key, id), restore(key, id)]);
    expect(answers.map(({ status, body }) => [status, body.version])).toEqual(Array(3).fill([200, 4]));
    expect((await suite.remove(key, id)).status).toBe(204);
    expect((await restore(key, id)).body.version).toBe(6);
    expect((await suite.get(key, `/decisions/${id}/outcomes`)).body.data).toHaveLength(1);
  });

  it('refuses a decision that another workspace deleted, and one whose external id is taken', async () => {
    const key = keyPrincipal();
    const { id } = await deletedOne(key, { externalId: 'JIRA-1' });
    expect((await restore(keyPrincipal(), id)).status).toBe(404);
    const other = await suite.create(key, { title: 'Other', externalId: 'JIRA-1' });
    const refused = await restore(key, id);
    expect(refused).toMatchObject({ status: 409, body: { error: 'CONFLICT' } });
    expect(refused.body.message).toContain(other.id);
    expect((await trash(key)).data).toHaveLength(1);
  });

  it('refuses a decision that would supersede itself through later ones', async () => {
    const key = keyPrincipal();
    const last = await suite.create(key, { title: 'Last' });
    const { id } = await suite.create(key, { title: 'Gone', supersedes: last.id });
    const next = await suite.create(key, { title: 'Next', supersedes: id });
    await suite.remove(key, id);
    expect((await suite.patch(key, last.id, { supersedes: next.id })).status).toBe(200);
    expect((await restore(key, id)).body).toMatchObject({ error: 'CONFLICT' });
  });

  it('leaves the trash to an import that brings the decision', async () => {
    const key = keyPrincipal();
    const { id, before } = await deletedOne(key);
    const { outcomes: _, history: __, ...decision } = before;
    expect((await suite.import(key, [decision])).body).toMatchObject({ stored: 1 });
    expect((await trash(key)).data).toEqual([]);
    expect((await restore(key, id)).body.version).toBe(4);
  });
});

describe('the trash', () => {
  it('is purged after its days, unless an operator holds it', async () => {
    const [key, held] = [keyPrincipal(), keyPrincipal()];
    const [{ id }, { id: heldId }] = [await deletedOne(key), await deletedOne(held)];
    const database = { collection: suite.collection } as never;
    await holdTrash(database, held.workspace_id, true);
    expect((await trash(held)).data).toMatchObject([{ purged_at: null }]);
    const day = 86_400_000;
    await purgeTrash(database, suite.clock.nowMs + (limits.trashDays - 1) * day);
    expect((await trash(key)).data).toHaveLength(1);
    await purgeTrash(database, suite.clock.nowMs + (limits.trashDays + 1) * day);
    expect(await suite.count(key, 'trash')).toBe(0);
    expect((await restore(key, id)).status).toBe(404);
    expect((await restore(held, heldId)).status).toBe(200);
    await suite.remove(held, heldId);
    await holdTrash(database, held.workspace_id, false);
    await purgeTrash(database, suite.clock.nowMs + (limits.trashDays + 1) * day);
    expect(await suite.count(held, 'trash')).toBe(0);
  });

  it('has no name of an erased person', async () => {
    const key = keyPrincipal();
    await deletedOne(key);
    await erasePersonFromDecisions({ collection: suite.collection } as never, key.key_id);
    const rows = await suite.one.database
      .collection('trash')
      .find({ workspace_id: key.workspace_id })
      .toArray();
    expect(rows.length).toBeGreaterThan(3);
    expect(JSON.stringify(rows)).not.toContain(`"name":"${key.key_name}"`);
  });
});
