import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { decisionDeleted, decisionRestored, threadsStack } from './threads-stack.ts';

const stack = await threadsStack({ replicas: 1 });

/** A decision with two messages, as the author sees it. */
async function discussed() {
  const decision = stack.decision();
  const { call, path, workspace_id: workspaceId } = decision;
  const post = async (content: string) => (await call('POST', path, { body: { content } })).body.message;
  const messages = [await post('First'), await post('Second')];
  const query = { workspaceId };
  const restore = (id: string) => call('POST', `/threads/messages/${id}/restore`, { query });
  const trash = async () => (await call('GET', '/threads/trash', { query })).body.data;
  const read = async () => (await call('GET', path)).body.messages;
  const restored = { id: decision.id, workspace_id: workspaceId, version: 3, generation: 2 };
  return { ...decision, workspaceId, messages, restore, trash, read, restored };
}
type Discussed = Awaited<ReturnType<typeof discussed>>;

async function deleteDecision(decision: Discussed) {
  stack.decisions.delete(decision.id);
  await stack.publish(decisionDeleted(decision));
  await stack.settled();
}

describe('a restored decision', () => {
  it('has its thread again, whose messages are announced to the search', async () => {
    const decision = await discussed();
    await deleteDecision(decision);
    expect(await stack.stored(decision.id)).toEqual({ threads: 0, messages: 0 });
    expect(await decision.trash()).toEqual([]);
    stack.decisions.set(decision.id, decision.restored);
    await stack.publish(decisionRestored(decision.restored));
    await stack.settled();
    expect(await decision.read()).toEqual(decision.messages);
    const about = ({ type, workspace_id }: { type: string; workspace_id: string | null }) =>
      type === 'messages.imported' && workspace_id === decision.workspaceId;
    const [event] = await stack.events(about, ['messages.imported']);
    const { messages, version, generations } = event!.data as Record<string, never>;
    expect([messages, generations]).toEqual([decision.messages, { [decision.id]: 2 }]);
    expect(version).toBeGreaterThan(1);
    await stack.publish(decisionRestored(decision.restored));
    await stack.publish({ ...decisionDeleted(decision), id: newId() });
    await stack.settled();
    expect(await decision.read()).toEqual(decision.messages);
  });

  it('has its thread if the event of the deletion comes later, with what was posted meanwhile', async () => {
    const decision = await discussed();
    stack.decisions.set(decision.id, decision.restored);
    const posted = await decision.call('POST', decision.path, { body: { content: 'Third' } });
    expect(posted.status).toBe(201);
    await stack.publish(decisionRestored(decision.restored));
    await stack.publish(decisionDeleted(decision));
    await stack.settled();
    const contents = (await decision.read()).map(({ content }: { content: string }) => content);
    expect(contents).toEqual(['First', 'Second', 'Third']);
    expect(await stack.stored(decision.id)).toEqual({ threads: 1, messages: 3 });
  });
});

describe('POST /threads/messages/{id}/restore', () => {
  it('restores a message once, and says that it was created', async () => {
    const { call, path, messages, restore, trash, read, id: decision_id } = await discussed();
    const { id } = messages[0];
    await call('DELETE', `${path}/messages/${id}`);
    const entry = { kind: 'message', id, title: 'First', version: 2, node_id: null, decision_id };
    expect(await trash()).toMatchObject([entry]);
    for (let i = 0; i < 2; i += 1)
      expect(await restore(id)).toMatchObject({ status: 200, body: messages[0] });
    expect(await read()).toEqual(messages);
    expect(await trash()).toEqual([]);
    const about = ({ subject, action }: { subject: { id: string }; action: string | null }) =>
      subject.id === id && action === 'thread.message_restore';
    const [event] = await stack.events(about, ['thread.message_created']);
    expect(event).toMatchObject({ subject: { version: 3 }, data: messages[0] });
  });

  it('is for the author and for admins, in the workspace of the message', async () => {
    const { call, path, messages, workspaceId } = await discussed();
    const { id } = messages[1];
    await call('DELETE', `${path}/messages/${id}`);
    const as = (
      principal: ReturnType<typeof keyPrincipal> | ReturnType<typeof sessionPrincipal>,
      of: string,
    ) => stack.as(principal)('POST', `/threads/messages/${id}/restore`, { query: { workspaceId: of } });
    const other = keyPrincipal();
    expect((await as(other, other.workspace_id)).status).toBe(404);
    const member = await as(sessionPrincipal({ workspaceId, role: 'member' }), workspaceId);
    expect(member).toMatchObject({ status: 403, body: { reason: 'author' } });
    expect((await as(sessionPrincipal({ workspaceId, role: 'admin' }), workspaceId)).status).toBe(200);
  });

  it('names the kind of the deleted record, and restores the message after it', async () => {
    const decision = await discussed();
    const { call, path, messages, restore } = decision;
    const { id } = messages[1];
    await call('DELETE', `${path}/messages/${id}`);
    await deleteDecision(decision);
    const refused = await restore(id);
    expect(refused).toMatchObject({ status: 409, body: { error: 'CONFLICT' } });
    expect(refused.body.message).toBe('The decision of this message is deleted. Restore it first.');
    stack.decisions.set(decision.id, decision.restored);
    await stack.publish(decisionRestored(decision.restored));
    await stack.settled();
    expect((await restore(id)).status).toBe(200);
    expect(await decision.read()).toEqual(messages);
  });
});
