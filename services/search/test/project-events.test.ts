import { describe, expect, it } from '@jest/globals';
import { type Message, newId } from '@waymark/contracts';
import { eventually, servicePrincipal } from '@waymark/testing';
import { POSITIONS_PER_MS } from '../src/projection/plan.ts';
import { aDecision, afterDeletion, aMessage, aNode, anEvent, aWorkflow } from './records.ts';
import { searchServer } from './search-server.ts';

const stand = await searchServer();
const { titles: foundIn, project } = stand;
const items = () => stand.collection('items');
const revisionOf = async (workspaceId: string) =>
  (await stand.collection('workspaces').findOne({ _id: workspaceId }))?.revision;

const messageEvent = (workspaceId: string, message: Message, generation: number) =>
  afterDeletion(anEvent('thread.message_created', workspaceId, message), generation);

describe('an event', () => {
  it('appears in a search while many others arrive, and none is lost', async () => {
    const [busy, workspaceId] = [newId(), newId()];
    const crowd = Array.from({ length: 1_000 }, (_, i) =>
      anEvent('decision.created', busy, aDecision(busy, { title: `crowd ${i}` })),
    );
    for (let at = 0; at < crowd.length; at += 250) {
      if (at === 500) {
        const workflow = aWorkflow(workspaceId, { title: 'me' });
        await stand.publish([anEvent('workflow.created', workspaceId, workflow)]);
      }
      await stand.publish(crowd.slice(at, at + 250));
    }
    await eventually(async () => (await foundIn(workspaceId, 'me')).length === 1);
    await stand.projected();
    expect((await stand.everyDecision(busy, 'crowd')).size).toBe(crowd.length);
  });

  it('changes nothing when it is redelivered, not even the revision', async () => {
    const workspaceId = newId();
    const decision = aDecision(workspaceId, { title: 'Once' });
    const created = anEvent('decision.created', workspaceId, decision);
    await project(created);
    const before = await revisionOf(workspaceId);
    await stand.publish([created], { copies: 20 });
    await stand.projected();
    expect(await revisionOf(workspaceId)).toBe(before);
    expect(await foundIn(workspaceId, 'once')).toEqual(['Once']);
  });

  it('gets a position among many records of the same moment with few reads', async () => {
    const workspaceId = newId();
    const first = aDecision(workspaceId, { title: 'First of that moment' });
    await project(anEvent('decision.created', workspaceId, first));
    const { position } = (await items().findOne({ workspace_id: workspaceId, id: first.id }))!;
    const crowd = Array.from({ length: 1_000 }, (_, i) => ({
      workspace_id: workspaceId,
      kind: 'decision',
      deleted_version: 3,
      id: newId(),
      version: 1,
      position: position + 1 + i * POSITIONS_PER_MS,
    }));
    await items().insertMany(crowd);
    await stand.one.database.command({ profile: 2 });
    const second = aDecision(workspaceId, { title: 'Second', created_at: first.created_at });
    await project(anEvent('decision.created', workspaceId, second));
    await stand.one.database.command({ profile: 0 });
    const looks = await stand
      .collection('system.profile')
      .countDocuments({ 'command.find': 'items', 'command.filter.position': { $exists: true } });
    expect(looks).toBeGreaterThan(1);
    expect(looks).toBeLessThan(50);
    expect(await foundIn(workspaceId, 'second')).toEqual(['Second']);
  });

  it('does not undo a later event that arrived first', async () => {
    const workspaceId = newId();
    const old = aDecision(workspaceId, { title: 'Old' });
    await project(
      anEvent('decision.updated', workspaceId, { ...old, title: 'New', version: 3 }),
      anEvent('decision.updated', workspaceId, { ...old, title: 'Middle', version: 2 }),
      anEvent('decision.created', workspaceId, old),
    );
    expect(await foundIn(workspaceId, 'new')).toEqual(['New']);
    expect(await foundIn(workspaceId, 'old')).toEqual([]);
    expect(await foundIn(workspaceId, 'middle')).toEqual([]);
  });

  it('of a deletion outlasts late events, and its tombstone has no text', async () => {
    const workspaceId = newId();
    const decision = aDecision(workspaceId, { title: 'Gone' });
    await project(
      anEvent('decision.deleted', workspaceId, { id: decision.id }, 3),
      anEvent('decision.updated', workspaceId, { ...decision, version: 2 }),
      anEvent('decision.created', workspaceId, decision),
    );
    expect(await foundIn(workspaceId, 'gone')).toEqual([]);
    const [tombstone] = await items().find({ workspace_id: workspaceId }).toArray();
    expect(tombstone).toEqual({
      _id: `${workspaceId}/decision/${decision.id}`,
      workspace_id: workspaceId,
      kind: 'decision',
      deleted_version: 3,
      id: decision.id,
      version: 3,
      revision: 1,
      deleted_at: expect.any(Date),
    });
  });

  it('of a node’s deletion deletes the node’s messages, also those that arrive late', async () => {
    const workspaceId = newId();
    const node = aNode(workspaceId, { title: 'Topic' });
    const [early, late] = [aMessage(node.id, 'early word'), aMessage(node.id, 'late word')];
    await project(
      anEvent('node.created', workspaceId, node),
      anEvent('thread.message_created', workspaceId, early),
    );
    expect(await foundIn(workspaceId, 'word')).toEqual(['Topic']);
    await project(
      anEvent('node.deleted', workspaceId, { id: node.id, workflow_id: node.workflow_id }, 2),
      anEvent('thread.message_created', workspaceId, late),
    );
    expect(await foundIn(workspaceId, 'word')).toEqual([]);
    expect(await items().countDocuments({ workspace_id: workspaceId, folded: { $exists: true } })).toBe(0);
  });

  it('of many nodes changes each of them', async () => {
    const workspaceId = newId();
    const workflow = aWorkflow(workspaceId, { title: 'Graph' });
    const nodes = Array.from({ length: 1_200 }, (_none, i) => {
      const { data: _, ...summary } = aNode(workspaceId, { title: `node ${i}`, workflow_id: workflow.id });
      return { ...summary, created_at: workflow.created_at };
    });
    await project(
      anEvent('nodes.created', workspaceId, { id: workflow.id, workflow_id: workflow.id, nodes }, 2),
    );
    expect((await stand.search(workspaceId, 'node', { limit: 500 })).nodes).toHaveLength(500);
    expect(await foundIn(workspaceId, 'node 1199')).toEqual(['node 1199']);
    const gone = nodes.slice(0, 1_199).map(({ id }) => ({ id, version: 2 }));
    await project(
      anEvent('nodes.deleted', workspaceId, { id: workflow.id, workflow_id: workflow.id, nodes: gone }, 3),
    );
    expect(await foundIn(workspaceId, 'node')).toEqual(['node 1199']);
    const last = [{ id: nodes[1_199]!.id, version: 2 }];
    await project(
      anEvent('workflow.deleted', workspaceId, { id: workflow.id }, 4),
      anEvent('nodes.deleted', workspaceId, { id: workflow.id, workflow_id: workflow.id, nodes: last }, 4),
    );
    expect(await foundIn(workspaceId, 'node')).toEqual([]);
  });

  it('of a message edits and deletes it', async () => {
    const workspaceId = newId();
    const node = aNode(workspaceId, { title: 'Topic' });
    const message = aMessage(node.id, 'first words');
    await project(
      anEvent('node.created', workspaceId, node),
      anEvent('thread.message_created', workspaceId, message, 1),
      anEvent('thread.message_updated', workspaceId, { ...message, content: 'second thoughts' }, 2),
    );
    expect(await foundIn(workspaceId, 'words')).toEqual([]);
    expect(await foundIn(workspaceId, 'thoughts')).toEqual(['Topic']);
    const { id, thread_id, node_id } = message;
    await project(anEvent('thread.message_deleted', workspaceId, { id, thread_id, node_id }, 3));
    expect(await foundIn(workspaceId, 'thoughts')).toEqual([]);
  });

  it('of a restored node makes it appear again', async () => {
    const workspaceId = newId();
    const node = aNode(workspaceId, { title: 'Phoenix' });
    const deleted = anEvent('node.deleted', workspaceId, { id: node.id, workflow_id: node.workflow_id }, 2);
    await project(anEvent('node.created', workspaceId, node), deleted);
    await project(anEvent('node.created', workspaceId, { ...node, version: 3 }), deleted);
    expect(await foundIn(workspaceId, 'phoenix')).toEqual(['Phoenix']);
  });

  it('of a message on a restored node may arrive before the node’s own', async () => {
    const workspaceId = newId();
    const node = aNode(workspaceId, { title: 'Phoenix' });
    const [posted, imported] = [aMessage(node.id, 'new ashes'), aMessage(node.id, 'new feathers')];
    const first = aMessage(node.id, 'old nest');
    await project(anEvent('node.created', workspaceId, node), messageEvent(workspaceId, first, 0));
    await project(
      anEvent('node.deleted', workspaceId, { id: node.id, workflow_id: node.workflow_id }, 2),
      messageEvent(workspaceId, posted, 2),
    );
    const brought = { messages: [imported], version: Date.now(), generations: { [node.id]: 2 } };
    await project(anEvent('messages.imported', workspaceId, { id: workspaceId, ...brought }));
    expect(await foundIn(workspaceId, 'new')).toEqual([]);
    await project(anEvent('node.updated', workspaceId, { ...node, version: 3 }));
    expect(await foundIn(workspaceId, 'ashes')).toEqual(['Phoenix']);
    expect(await foundIn(workspaceId, 'feathers')).toEqual(['Phoenix']);
    expect(await foundIn(workspaceId, 'nest')).toEqual([]);
  });

  it('of a node’s deletion that arrives after its restoration deletes only the earlier messages', async () => {
    const workspaceId = newId();
    const node = aNode(workspaceId, { title: 'Phoenix' });
    const [before, after] = [aMessage(node.id, 'old ashes'), aMessage(node.id, 'new feathers')];
    await project(
      anEvent('node.updated', workspaceId, { ...node, version: 3 }),
      messageEvent(workspaceId, before, 0),
      messageEvent(workspaceId, after, 2),
    );
    const deletion = { id: node.id, workflow_id: node.workflow_id };
    await project(anEvent('node.deleted', workspaceId, deletion, 2));
    expect(await foundIn(workspaceId, 'phoenix')).toEqual(['Phoenix']);
    expect(await foundIn(workspaceId, 'feathers')).toEqual(['Phoenix']);
    expect(await foundIn(workspaceId, 'ashes')).toEqual([]);
    await project({ ...messageEvent(workspaceId, before, 0), id: newId() });
    expect(await items().countDocuments({ workspace_id: workspaceId, folded: /ashes/ })).toBe(0);
  });

  it('of a node may arrive before its workflow is restored', async () => {
    const workspaceId = newId();
    const workflow = aWorkflow(workspaceId, { title: 'Nest' });
    const { data: _, ...node } = aNode(workspaceId, {
      title: 'Phoenix',
      workflow_id: workflow.id,
      version: 3,
    });
    const ofWorkflow = { id: workflow.id, workflow_id: workflow.id };
    await project(anEvent('workflow.deleted', workspaceId, { id: workflow.id }, 2));
    await project(anEvent('nodes.imported', workspaceId, { ...ofWorkflow, nodes: [node] }, 3));
    await project(
      anEvent('workflow.imported', workspaceId, { ...workflow, version: 3 }),
      anEvent('nodes.deleted', workspaceId, { ...ofWorkflow, nodes: [{ id: node.id, version: 2 }] }, 2),
    );
    expect(await foundIn(workspaceId, 'phoenix')).toEqual(['Phoenix']);
  });

  it('does not change a record with the same id in another workspace', async () => {
    const [mine, theirs] = [newId(), newId()];
    const decision = aDecision(mine, { title: 'Mine' });
    await project(
      anEvent('decision.created', mine, decision),
      anEvent('node.created', theirs, aNode(theirs, { id: decision.id, title: 'Theirs', version: 9 })),
      anEvent('decision.deleted', theirs, { id: decision.id }, 10),
    );
    expect(await foundIn(mine, 'mine')).toEqual(['Mine']);
    expect(await foundIn(theirs, 'theirs')).toEqual(['Theirs']);
  });

  it('brings nothing back into a workspace that was deleted and purged', async () => {
    const workspaceId = newId();
    const decisions = Array.from({ length: 50 }, () => aDecision(workspaceId, { title: 'Private' }));
    await stand.publish(decisions.map((decision) => anEvent('decision.created', workspaceId, decision)));
    await stand.projected();
    expect(await foundIn(workspaceId, 'private')).toHaveLength(20);
    const path = `/internal/workspaces/${workspaceId}/purge`;
    expect((await stand.one.call(servicePrincipal(), 'POST', path)).body).toEqual({ is_done: true });
    await project(anEvent('decision.created', workspaceId, aDecision(workspaceId, { title: 'Private' })));
    expect(await foundIn(workspaceId, 'private')).toEqual([]);
    expect(await items().countDocuments({ workspace_id: workspaceId })).toBe(0);
  });
});

describe('two replicas', () => {
  it('project the events of one workspace at the same time, and both find all of them', async () => {
    const replica = await stand.startReplica();
    const workspaceId = newId();
    // All records have the same millisecond, and still a position each.
    const created_at = new Date().toISOString();
    const decisions = Array.from({ length: 450 }, (_, i) =>
      aDecision(workspaceId, { title: `shared ${i}`, created_at }),
    );
    for (let at = 0; at < decisions.length; at += 150) {
      const some = decisions.slice(at, at + 150);
      const events = some.map((one) => anEvent('decision.created', workspaceId, one));
      await stand.publish(events, { copies: 2 });
    }
    await stand.projected();
    const stored = await items().find({ workspace_id: workspaceId }).toArray();
    expect(new Set(stored.map(({ position }) => position)).size).toBe(decisions.length);
    const ids = new Set(decisions.map(({ id }) => id));
    for (const server of [undefined, replica])
      expect(await stand.everyDecision(workspaceId, 'SHARED', server)).toEqual(ids);
    expect(await revisionOf(workspaceId)).toBe(decisions.length);
  });
});

// Must be last: the event is redelivered for a while, and `projected` waits until that ends.
describe('an event with invalid data', () => {
  it('is not projected, and delays no other event', async () => {
    const workspaceId = newId();
    const decision = aDecision(workspaceId, { title: 'Fine' });
    await stand.publish([
      anEvent('decision.created', workspaceId, { id: newId(), title: 5 }),
      anEvent('decision.created', workspaceId, decision),
    ]);
    await eventually(async () => (await foundIn(workspaceId, 'fine')).length === 1);
  });
});
