import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { rebuildSearch } from '../src/operator.ts';
import { dataServices } from './data-services.ts';
import { aDecision, aMessage, anEvent } from './records.ts';
import { searchServer } from './search-server.ts';

const data = await dataServices();
const stand = await searchServer({ env: data.env });
const rebuild = (env = {}) => Array.fromAsync(rebuildSearch({ ...stand.one.env, ...env }));
const items = () => stand.collection('items');
const found = async (workspaceId: string, q: string) =>
  (await stand.titles(workspaceId, q, { limit: 500 })).sort();

/** Adds records of every kind to the data services without publishing an event. */
function fill(workspaceId: string, count: number) {
  for (let i = 0; i < count; i += 1) {
    const [workflow, node] = [`word workflow ${i}`, `word node ${i}`];
    data.add(workspaceId, { workflow, node, decision: `word decision ${i}`, message: `spoken ${i}` });
  }
}

describe('a rebuild', () => {
  it('fills a lost projection, page by page, for every workspace', async () => {
    const [one, other] = [newId(), newId()];
    fill(one, 150);
    fill(other, 30);
    const onDecision = aMessage(null, 'deliberated', { decision_id: [...data.decisions.keys()][0]! });
    const kinds = ['workflow', 'node', 'decision', 'message'] as const;
    const read = kinds.map((kind) => ({ kind, read: data[`${kind}s`].size, removed: 0 }));
    data.messages.set(onDecision.id, { workspace_id: one, version: 1, message: onDecision });
    expect(await rebuild()).toEqual([...read, { kind: 'decision_message', read: 1, removed: 0 }]);
    expect((await stand.search(one, 'deliberated')).decisions).toMatchObject([
      { highlights: [{ message_id: onDecision.id }] },
    ]);
    expect(await found(one, 'word')).toHaveLength(450);
    expect(await found(one, 'spoken')).toHaveLength(150);
    expect(await found(other, 'word')).toHaveLength(90);
  });

  it('corrects differing records, removes deleted ones and restores existing ones, also at older versions', async () => {
    const workspaceId = newId();
    const kept = aDecision(workspaceId, { title: 'kept word', version: 2 });
    const restored = aDecision(workspaceId, { title: 'restored word', version: 1 });
    const revived = aDecision(workspaceId, { title: 'revived word', version: 1 });
    const vanished = aDecision(workspaceId, { title: 'vanished word' });
    await stand.publish([
      anEvent('decision.created', workspaceId, kept),
      anEvent('decision.created', workspaceId, { ...restored, title: 'newer word', version: 7 }),
      anEvent('decision.deleted', workspaceId, { id: revived.id }, 9),
      anEvent('decision.created', workspaceId, vanished),
    ]);
    await stand.projected();
    for (const decision of [kept, restored, revived]) data.decisions.set(decision.id, decision);
    await items().updateOne({ id: kept.id }, { $set: { folded: 'damaged' } });
    const decisions = { kind: 'decision', read: data.decisions.size, removed: 1 };
    expect(await rebuild()).toContainEqual(decisions);
    expect(await found(workspaceId, 'word')).toEqual(['kept word', 'restored word', 'revived word']);
    const again = await items().find({ workspace_id: workspaceId }).sort({ _id: 1 }).toArray();
    await rebuild();
    expect(await items().find({ workspace_id: workspaceId }).sort({ _id: 1 }).toArray()).toEqual(again);
  });

  it('keeps serving, and loses no event that arrives meanwhile', async () => {
    const workspaceId = newId();
    fill(workspaceId, 300);
    const existing = [...data.decisions.values()].filter(({ workspace_id }) => workspace_id === workspaceId);
    await stand.publish(existing.map((decision) => anEvent('decision.created', workspaceId, decision)));
    await stand.projected();
    let isOver = false;
    const rebuilding = rebuild().finally(() => {
      isOver = true;
    });
    const late: string[] = [];
    const gone: string[] = [];
    for (let i = 0; !isOver; i += 1) {
      const decision = aDecision(workspaceId, { title: `late ${i}` });
      const removed = existing[i % existing.length]!;
      data.decisions.set(decision.id, decision);
      data.decisions.delete(removed.id);
      await stand.publish([
        anEvent('decision.created', workspaceId, decision),
        anEvent('decision.deleted', workspaceId, { id: removed.id }, 4),
      ]);
      late.push(decision.title);
      gone.push(removed.title);
      expect((await stand.search(workspaceId, 'word decision')).decisions).toHaveLength(20);
      if (gone.length >= existing.length - 20) break;
    }
    await rebuilding;
    await stand.projected();
    await eventually(async () => {
      expect(await found(workspaceId, 'late')).toEqual(late.slice().sort());
      const left = existing.map(({ title }) => title).filter((title) => !gone.includes(title));
      expect(await found(workspaceId, 'word decision')).toEqual(left.sort());
    });
    expect(late.length).toBeGreaterThan(0);
  });

  it('fails when a service does not respond', async () => {
    await expect(rebuild({ THREADS_URL: 'http://127.0.0.1:1' })).rejects.toThrow('temporarily unavailable');
  });
});
