import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { servicePrincipal } from '@waymark/testing';
import { nodeDeleted, nodesDeleted, threadsStack } from './threads-stack.ts';

// Two replicas, so that the tests do not pass because of a guarantee within one process.
const stack = await threadsStack({ replicas: 1 });

const NOTHING = { threads: 0, messages: 0 };

async function threaded(messages = 2) {
  const node = stack.node();
  for (let i = 0; i < messages; i += 1) {
    await node.call('POST', `/threads/${node.id}`, { body: { content: `${i}` } });
  }
  return node;
}

describe('the first messages of a node', () => {
  it('begin one thread when they race', async () => {
    for (const messages of [50, 10, 10]) {
      const { id, call } = stack.node();
      const post = (_: unknown, i: number) => call('POST', `/threads/${id}`, { body: { content: `${i}` } });
      const answers = await Promise.all(Array.from({ length: messages }, post));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(answers.map(({ body }) => body.thread.id)).size).toBe(1);
      expect(await stack.stored(id)).toEqual({ threads: 1, messages });
    }
  });
});

describe('a message', () => {
  it('does not wait for another process that is posting on the same node', async () => {
    const node = await threaded(1);
    const session = stack.client().startSession();
    session.startTransaction();
    try {
      const filter = { workspace_id: node.workspace_id, _id: node.id };
      const posting = { $inc: { revision: 1 } };
      await stack.collection('node_guards').updateOne(filter, posting, { session, upsert: true });
      for (let i = 0; i < 8; i += 1) {
        const { status } = await node.call('POST', `/threads/${node.id}`, { body: { content: 'Meanwhile' } });
        expect(status).toBe(201);
      }
    } finally {
      await session.abortTransaction();
      await session.endSession();
    }
  });
});

describe('a deleted node', () => {
  it('loses its thread, and other nodes keep theirs', async () => {
    const [gone, kept] = [await threaded(), await threaded()];
    await stack.deleteNode(gone);
    await stack.settled();
    expect(await stack.stored(gone.id)).toEqual(NOTHING);
    expect(await stack.stored(kept.id)).toEqual({ threads: 1, messages: 2 });
    expect((await gone.call('GET', `/threads/${gone.id}`)).body.error).toBe('NOT_FOUND');
    const late = await gone.call('POST', `/threads/${gone.id}`, { body: { content: 'late' } });
    expect([late.status, late.body.error]).toEqual([404, 'NOT_FOUND']);
    expect((await kept.call('GET', `/threads/${kept.id}`)).body.messages).toHaveLength(2);
  });

  it('may have its event twice, and before anyone has posted', async () => {
    const [gone, quiet] = [await threaded(), stack.node()];
    const event = await stack.deleteNode(gone);
    await stack.publish(event);
    await stack.deleteNode(quiet);
    await stack.settled();
    await stack.publish(event);
    await stack.settled();
    expect(await stack.stored(gone.id)).toEqual(NOTHING);
    expect((await quiet.call('GET', `/threads/${quiet.id}`)).status).toBe(404);
  });

  it('may be one of thousands in the event of a replaced graph', async () => {
    const [a, b] = [await threaded(), await threaded()];
    const others = Array.from({ length: 2_000 }, () => ({ id: newId(), version: 2 }));
    await stack.publish(nodesDeleted(a.workspace_id, [...others, { id: a.id, version: 2 }]));
    await stack.settled();
    expect(await stack.stored(a.id)).toEqual(NOTHING);
    expect(await stack.stored(b.id)).toEqual({ threads: 1, messages: 2 });
  });

  it('keeps no message of posts that race with the deletion', async () => {
    const outcomes = new Set<number>();
    async function race(beginsThread: boolean) {
      const node = beginsThread ? stack.node() : await threaded(1);
      await node.call('GET', `/threads/${node.id}`);
      const post = (_: unknown, i: number) =>
        node.call('POST', `/threads/${node.id}`, { body: { content: `${i}` } });
      const early = Array.from({ length: 10 }, post);
      await Promise.race(early);
      const deletion = stack.deleteNode(node);
      const late = Array.from({ length: 10 }, post);
      for (const { status } of await Promise.all([...early, ...late])) outcomes.add(status);
      await deletion;
      await stack.settled();
      expect(await stack.stored(node.id)).toEqual(NOTHING);
    }
    for (let round = 0; round < 2; round += 1) await Promise.all([true, false, true, false].map(race));
    for (const status of outcomes) expect([201, 404]).toContain(status);
    expect(outcomes.has(201)).toBe(true);
  });

  it('gets a new thread after it is restored, and late events do not affect that thread', async () => {
    const node = await threaded();
    const deletion = await stack.deleteNode(node);
    await stack.settled();
    stack.nodes.set(node.id, { ...node, version: 3 });
    expect((await node.call('GET', `/threads/${node.id}`)).body.thread).toBeNull();
    const posted = await node.call('POST', `/threads/${node.id}`, { body: { content: 'again' } });
    expect(posted.status).toBe(201);
    await stack.publish({ ...deletion, id: newId() });
    await stack.publish(nodeDeleted({ ...node, version: 0 }));
    await stack.settled();
    const read = await node.call('GET', `/threads/${node.id}`);
    expect(read.body).toMatchObject({ thread: posted.body.thread, messages: [posted.body.message] });
  });

  it('gets a new thread even if it is restored before the event of its deletion arrives', async () => {
    const node = await threaded();
    stack.nodes.set(node.id, { ...node, version: 3, generation: 2 });
    const posted = await node.call('POST', `/threads/${node.id}`, { body: { content: 'again' } });
    expect(posted.status).toBe(201);
    const imported = { ...posted.body.message, id: newId() };
    const body = { workspace_id: node.workspace_id, portion: newId(), messages: [imported] };
    await stack.call(servicePrincipal('transfer'), 'POST', '/internal/imports/messages', { body });
    await stack.publish(nodeDeleted(node));
    await stack.settled();
    const read = await node.call('GET', `/threads/${node.id}`);
    expect(read.body.thread).toEqual(posted.body.thread);
    expect(new Set(read.body.messages.map(({ id }: { id: string }) => id))).toEqual(
      new Set([posted.body.message.id, imported.id]),
    );
    expect(await stack.stored(node.id)).toEqual({ threads: 1, messages: 2 });
  });

  it('has its deletion version in later message events and snapshots, and not in earlier ones', async () => {
    const node = await threaded(1);
    await stack.deleteNode(node);
    await stack.settled();
    stack.nodes.set(node.id, { ...node, version: 3 });
    const path = `/threads/${node.id}`;
    const { body } = await node.call('POST', path, { body: { content: 'Anew' } });
    await node.call('PATCH', `${path}/messages/${body.message.id}`, { body: { content: 'Edited' } });
    const brought = { ...body.message, id: newId() };
    const imported = await stack.call(servicePrincipal('transfer'), 'POST', '/internal/imports/messages', {
      body: { workspace_id: node.workspace_id, portion: newId(), messages: [brought] },
    });
    expect(imported.body).toEqual({ stored: 1, left_out: [] });
    const [first, later, edited, imports] = await stack.events(
      ({ type, workspace_id }) => workspace_id === node.workspace_id && type !== 'node.deleted',
      [
        ...(['thread.message_created', 'thread.message_created'] as const),
        ...(['thread.message_updated', 'messages.imported'] as const),
      ],
    );
    const generations = [first, later, edited].map((event) => event!.subject.generation);
    expect(generations).toEqual([0, 2, 2]);
    expect(imports!.data).toMatchObject({ generations: { [node.id]: 2 } });
    const known = new Map<string, number>();
    for (let after = ''; ; ) {
      const query = { limit: 100, ...(after && { after }) };
      const path = '/internal/messages';
      const page = await stack.call(servicePrincipal('search'), 'GET', path, { query });
      if (page.body.data.length === 0) break;
      for (const { message, generation } of page.body.data) known.set(message.id, generation);
      after = page.body.data.at(-1).message.id;
    }
    expect([known.get(body.message.id), known.get(brought.id)]).toEqual([2, 2]);
  });
});
