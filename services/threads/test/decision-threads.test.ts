import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { keyPrincipal, servicePrincipal } from '@waymark/testing';
import { decisionDeleted, threadsStack } from './threads-stack.ts';

const stack = await threadsStack();

describe('the thread of a decision', () => {
  it('begins with its first message, which can be read, edited and deleted', async () => {
    const { id: decision_id, workspace_id, call, path } = stack.decision();
    expect((await call('GET', path)).body).toEqual({
      thread: null,
      messages: [],
      resolved_replies: {},
      next_cursor: null,
    });
    const posted = await call('POST', path, { body: { content: 'Why not PostgreSQL?' } });
    expect(posted.status).toBe(201);
    const { thread, message } = posted.body;
    expect(thread).toMatchObject({ workspace_id, node_id: null, decision_id });
    expect(message).toMatchObject({ thread_id: thread.id, node_id: null, decision_id });
    const own = `${path}/messages/${message.id}`;
    expect(posted.headers['location']).toContain(own);
    const edited = (await call('PATCH', own, { body: { content: 'Why not two?' } })).body;
    expect(edited).toEqual({ ...message, content: 'Why not two?', edited_at: expect.any(String) });
    expect((await call('GET', own)).body).toEqual(edited);
    expect((await call('GET', path)).body).toMatchObject({ thread, messages: [edited] });
    expect((await call('DELETE', own)).status).toBe(204);
    expect((await call('GET', path)).body.messages).toEqual([]);
    const [created, , deleted] = await stack.events(
      ({ subject }) => subject.id === message.id,
      ['thread.message_created', 'thread.message_updated', 'thread.message_deleted'],
    );
    expect(created).toMatchObject({ workspace_id, data: message });
    expect(deleted!.data).toEqual({ id: message.id, thread_id: thread.id, node_id: null, decision_id });
  });

  it('is one of many in a workspace, also beside a node with the same id', async () => {
    const key = keyPrincipal();
    const [one, other] = [stack.decision(key), stack.decision(key)];
    const node = { id: one.id, workspace_id: one.workspace_id, workflow_id: newId(), version: 1 };
    stack.nodes.set(node.id, node);
    const paths = [one.path, other.path, `/threads/${node.id}`];
    const post = (path: string) => one.call('POST', path, { body: { content: path } });
    const answers = await Promise.all(paths.flatMap((path) => [post(path), post(path)]));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.thread.id)).size).toBe(3);
    for (const path of paths) {
      const { messages } = (await one.call('GET', path)).body;
      expect(messages.map(({ content }: { content: string }) => content)).toEqual([path, path]);
    }
    await stack.publish(decisionDeleted(one));
    await stack.settled();
    expect((await one.call('GET', `/threads/${node.id}`)).body.messages).toHaveLength(2);
    expect((await one.call('GET', other.path)).body.messages).toHaveLength(2);
  });

  it('is deleted with the decision; a restored decision begins with an empty one', async () => {
    const { call, path, ...decision } = stack.decision();
    await call('POST', path, { body: { content: 'x' } });
    stack.decisions.delete(decision.id);
    await stack.publish(decisionDeleted(decision));
    await stack.settled();
    expect(await stack.stored(decision.id)).toEqual({ threads: 0, messages: 0 });
    expect((await call('GET', path)).body.error).toBe('NOT_FOUND');
    expect((await call('POST', path, { body: { content: 'late' } })).body.error).toBe('NOT_FOUND');
    stack.decisions.set(decision.id, { ...decision, version: 3, generation: 2 });
    const { body } = await call('POST', path, { body: { content: 'again' } });
    await stack.publish({ ...decisionDeleted(decision), id: newId() });
    await stack.settled();
    expect((await call('GET', path)).body.messages).toEqual([body.message]);
  });

  it('is possible in the workspace into which a deleted decision was imported', async () => {
    const { call: _, path, ...decision } = stack.decision();
    await stack.publish(decisionDeleted(decision));
    await stack.settled();
    const key = keyPrincipal();
    const moved = { ...decision, workspace_id: key.workspace_id };
    stack.decisions.set(moved.id, moved);
    expect((await stack.as(key)('POST', path, { body: { content: 'Here now' } })).status).toBe(201);
    await stack.publish(decisionDeleted(moved));
    await stack.settled();
    expect((await stack.as(key)('GET', path)).body.error).toBe('NOT_FOUND');
  });

  it('has no messages of a node', async () => {
    const { call, path } = stack.decision();
    const { message } = (await call('POST', path, { body: { content: 'x' } })).body;
    const { id } = stack.node();
    expect((await call('GET', `/decisions/${newId()}/thread`)).status).toBe(404);
    expect((await call('GET', `/threads/${id}/messages/${message.id}`)).status).not.toBe(200);
  });

  it('is imported with its messages', async () => {
    const { workspace_id, id: decision_id, call, path } = stack.decision();
    const author = { type: 'session', id: newId(), name: null };
    const times = { created_at: '2026-01-02T03:04:05.000Z', edited_at: null };
    const thread = { id: newId(), workspace_id, node_id: null, decision_id, created_at: times.created_at };
    const question = { id: newId(), thread_id: thread.id, node_id: null, decision_id };
    const text = { content: `Why, @[${author.id}]?`, content_type: 'text', author, ...times };
    const answer = { ...question, ...text, id: newId(), reply_to: question.id, content: 'Because.' };
    for (const portion of [{ threads: [thread] }, { messages: [{ ...question, ...text }, answer] }]) {
      const [collection] = Object.keys(portion);
      const body = { workspace_id, portion: newId(), ...portion };
      const path = `/internal/imports/${collection}`;
      const sent = await stack.call(servicePrincipal('transfer'), 'POST', path, { body });
      expect(sent.body).toMatchObject({ left_out: [] });
    }
    expect((await call('GET', path)).body).toMatchObject({
      thread,
      messages: [{ id: question.id, mentions: [author.id] }, answer],
    });
  });
});
