import { describe, expect, it } from '@jest/globals';
import { limits, newId } from '@waymark/contracts';
import { eventually, keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { threadsStack } from './threads-stack.ts';

const stack = await threadsStack();

const about = (id: string, ...verbs: ('created' | 'updated' | 'deleted')[]) =>
  stack.events(
    ({ subject }) => subject.id === id,
    verbs.map((verb) => `thread.message_${verb}` as const),
  );
interface Counted {
  node_id: string;
  messages: number;
}

const member = (workspaceId: string) => sessionPrincipal({ workspaceId, role: 'member' });

describe('POST /threads/{nodeId}', () => {
  it('begins the thread with the first message, and continues it', async () => {
    const { id: nodeId, workspace_id, call } = stack.node();
    const first = await call('POST', `/threads/${nodeId}`, { body: { content: 'Hello' } });
    expect(first.status).toBe(201);
    const { thread, message } = first.body;
    const created_at = expect.any(String);
    expect(thread).toEqual({ id: thread.id, workspace_id, node_id: nodeId, decision_id: null, created_at });
    expect(message).toEqual({
      id: expect.any(String),
      thread_id: thread.id,
      node_id: nodeId,
      decision_id: null,
      reply_to: null,
      mentions: [],
      content: 'Hello',
      content_type: 'text',
      author: { type: 'api_key', id: expect.any(String), name: 'test key' },
      author_person: expect.any(String),
      created_at: expect.any(String),
      edited_at: null,
      reactions: [],
      resolved_at: null,
      resolved_by: null,
      imported_by: null,
    });
    const body = { content: '# Second', contentType: 'markdown' };
    const second = await call('POST', `/threads/${nodeId}`, { body });
    expect(second.body).toMatchObject({ thread, message: { content_type: 'markdown' } });
    const [event] = await about(message.id, 'created');
    expect(event).toMatchObject({
      action: 'thread.message_create',
      workspace_id,
      subject: { type: 'message', version: 1 },
      data: message,
      changes: { content: { before: null, after: 'Hello' } },
    });
  });

  it('takes the workspace in the body, and refuses another', async () => {
    const { id, workspace_id, call } = stack.node();
    const named = (workspaceId: string) => ({ body: { workspaceId, content: 'Hello' } });
    const posted = await call('POST', `/threads/${id}`, named(workspace_id));
    const path = `/threads/${id}/messages/${posted.body.message.id}`;
    expect([posted.status, (await call('PATCH', path, named(workspace_id))).status]).toEqual([201, 200]);
    for (const [method, at] of [
      ['POST', `/threads/${id}`],
      ['PATCH', path],
    ] as const) {
      const refused = await call(method, at, named(newId()));
      expect([refused.status, refused.body.error]).toEqual([403, 'WORKSPACE_MISMATCH']);
    }
  });

  it('keeps the text byte for byte, up to its limit', async () => {
    const { id, call } = stack.node();
    const content = ` \u202e e\u0301 \u{1f600} {"$set":1}\r\n\t${'x'.repeat(limits.messageCharacters)}`;
    const exact = content.slice(0, limits.messageCharacters);
    const posted = await call('POST', `/threads/${id}`, { body: { content: exact, content_type: 'text' } });
    expect(posted.body.message.content).toBe(exact);
  });

  it.each([
    ['no content', {}],
    ['empty content', { content: '' }],
    ['content that is too long', { content: 'x'.repeat(limits.messageCharacters + 1) }],
    ['NUL', { content: 'a\0b' }],
    ['content that is not text', { content: { $gt: '' } }],
    ['an unknown content type', { content: 'x', contentType: 'html' }],
    ['an unknown field', { content: 'x', author: 'me' }],
  ])('refuses %s, and does not begin a thread', async (_, body) => {
    const { id, call } = stack.node();
    const answer = await call('POST', `/threads/${id}`, { body });
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
    expect(await stack.stored(id)).toEqual({ threads: 0, messages: 0 });
  });
});

describe('GET /threads/{nodeId}', () => {
  it('is empty when the node has no thread', async () => {
    const { id, call } = stack.node();
    const answer = await call('GET', `/threads/${id}`);
    expect([answer.status, answer.body]).toEqual([
      200,
      { thread: null, messages: [], resolved_replies: {}, next_cursor: null },
    ]);
  });

  it('lists messages oldest or newest first, in pages', async () => {
    const { id, call } = stack.node();
    for (let i = 0; i < 5; i += 1) await call('POST', `/threads/${id}`, { body: { content: `${i}` } });
    const contents = (body: { messages: { content: string }[] }) =>
      body.messages.map(({ content }) => content);
    const first = await call('GET', `/threads/${id}`, { query: { limit: 3 } });
    expect(contents(first.body)).toEqual(['0', '1', '2']);
    expect(first.headers['link']).toContain('rel="next"');
    const cursor = first.body.next_cursor;
    const second = await call('GET', `/threads/${id}`, { query: { limit: 3, cursor } });
    expect([contents(second.body), second.body.next_cursor]).toEqual([['3', '4'], null]);
    expect(second.body.thread).toEqual(first.body.thread);
    expect(contents((await call('GET', `/threads/${id}`)).body)).toEqual(['0', '1', '2', '3', '4']);
    const sort = '-created_at';
    const newest = await call('GET', `/threads/${id}`, { query: { limit: 3, sort } });
    expect(contents(newest.body)).toEqual(['4', '3', '2']);
    const older = { limit: 3, sort, cursor: newest.body.next_cursor };
    expect(contents((await call('GET', `/threads/${id}`, { query: older })).body)).toEqual(['1', '0']);
    const other = stack.node();
    await other.call('POST', `/threads/${other.id}`, { body: { content: 'x' } });
    const foreign = await other.call('GET', `/threads/${other.id}`, { query: { cursor } });
    expect(foreign.body.issues[0].path).toBe('cursor');
  });
});

describe('GET /threads', () => {
  const counted = async (call: ReturnType<typeof stack.as>, ids: string[]) => {
    const { status, body } = await call('GET', '/threads', { query: { nodeIds: ids.join(',') } });
    expect(status).toBe(200);
    return new Map(body.data.map(({ node_id, messages }: Counted) => [node_id, messages]));
  };

  it('counts the messages of nodes, up to a limit, and none of another workspace', async () => {
    const key = keyPrincipal();
    const call = stack.as(key);
    const [quiet, one, busy] = [key, key, key].map((principal) => stack.node(principal));
    for (const { id } of [one!, busy!]) await call('POST', `/threads/${id}`, { body: { content: 'x' } });
    const messages = stack.collection('messages');
    const { _id, ...message } = (await messages.findOne({ node_id: busy!.id }))!;
    const more = Array.from({ length: limits.countedMessages }, () => ({ _id: newId(), ...message }));
    await messages.insertMany(more);
    const foreign = stack.node();
    await foreign.call('POST', `/threads/${foreign.id}`, { body: { content: 'x' } });

    const ids = [quiet!.id, one!.id, busy!.id, foreign.id, newId()];
    expect(await counted(call, ids)).toEqual(
      new Map([
        [one!.id, 1],
        [busy!.id, limits.countedMessages],
      ]),
    );
    expect(await counted(foreign.call, ids)).toEqual(new Map([[foreign.id, 1]]));
  });

  it('counts nothing of a node since its deletion', async () => {
    const node = stack.node();
    await node.call('POST', `/threads/${node.id}`, { body: { content: 'x' } });
    await stack.deleteNode(node);
    await eventually(async () => expect(await counted(node.call, [node.id])).toEqual(new Map()));
  });

  it.each([
    ['no ids', {}],
    ['what is not an id', { nodeIds: 'x' }],
    ['too many ids', { nodeIds: Array.from({ length: limits.countedNodes + 1 }, newId).join(',') }],
  ])('refuses %s', async (_, query) => {
    const { status, body } = await stack.node().call('GET', '/threads', { query });
    expect([status, body.error]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('PATCH /threads/{nodeId}/messages/{id}', () => {
  it('edits the caller’s own message', async () => {
    const { id, call } = stack.node();
    const { message } = (await call('POST', `/threads/${id}`, { body: { content: 'Tpyo' } })).body;
    const path = `/threads/${id}/messages/${message.id}`;
    const edited = await call('PATCH', path, { body: { content: 'Typo' } });
    expect(edited.body).toEqual({ ...message, content: 'Typo', edited_at: expect.any(String) });
    expect((await call('GET', path)).body).toEqual(edited.body);
    expect((await call('PATCH', path, { body: { content: 'Typo' } })).body).toEqual(edited.body);
    const [, event] = await about(message.id, 'created', 'updated');
    expect(event).toMatchObject({
      action: 'thread.message_update',
      subject: { version: 2 },
      changes: { content: { before: 'Tpyo', after: 'Typo' } },
    });
  });

  it('refuses all others, including owners and the creator of the key', async () => {
    const key = keyPrincipal();
    const { id } = stack.node(key);
    const { message } = (await stack.as(key)('POST', `/threads/${id}`, { body: { content: 'Mine' } })).body;
    const path = `/threads/${id}/messages/${message.id}`;
    const others = [
      keyPrincipal({ workspace_id: key.workspace_id }),
      sessionPrincipal({ workspaceId: key.workspace_id, role: 'owner' }),
      sessionPrincipal({ workspaceId: key.workspace_id, role: 'owner', userId: key.user_id }),
    ];
    for (const other of others) {
      const answer = await stack.as(other)('PATCH', path, { body: { content: 'Yours' } });
      expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await stack.as(key)('GET', path)).body).toEqual(message);
  });
});

describe('DELETE /threads/{nodeId}/messages/{id}', () => {
  it('deletes the caller’s own message and keeps the thread', async () => {
    const { id, call } = stack.node();
    const { thread, message } = (await call('POST', `/threads/${id}`, { body: { content: 'x' } })).body;
    const path = `/threads/${id}/messages/${message.id}`;
    const gone = await call('DELETE', path);
    expect([gone.status, gone.text]).toEqual([204, '']);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect((await call(method, path, { body: method === 'PATCH' ? {} : undefined })).status).toBe(404);
    }
    expect((await call('GET', `/threads/${id}`)).body).toMatchObject({ thread, messages: [] });
    const [, event] = await about(message.id, 'created', 'deleted');
    expect(event).toMatchObject({
      action: 'thread.message_delete',
      subject: { version: 2 },
      data: { id: message.id, thread_id: thread.id, node_id: id, decision_id: null },
    });
  });

  it('lets admins and owners delete any message, and members and keys only their own', async () => {
    const key = keyPrincipal();
    const { id } = stack.node(key);
    const author = stack.as(member(key.workspace_id));
    const post = async () => {
      const { message } = (await author('POST', `/threads/${id}`, { body: { content: 'x' } })).body;
      expect(message.author).toMatchObject({ type: 'session', name: 'Test User' });
      return `/threads/${id}/messages/${message.id}`;
    };
    const path = await post();
    for (const other of [key, member(key.workspace_id)]) {
      expect((await stack.as(other)('DELETE', path)).body.error).toBe('FORBIDDEN');
    }
    const admin = sessionPrincipal({ workspaceId: key.workspace_id, role: 'admin' });
    const owner = sessionPrincipal({ workspaceId: key.workspace_id, role: 'owner' });
    expect((await stack.as(admin)('DELETE', path)).status).toBe(204);
    expect((await stack.as(owner)('DELETE', await post())).status).toBe(204);
  });
});

it('a message of another node gets 404', async () => {
  const { call, id } = stack.node();
  const { message } = (await call('POST', `/threads/${id}`, { body: { content: 'x' } })).body;
  const sibling = { ...stack.nodes.get(id)!, id: newId() };
  stack.nodes.set(sibling.id, sibling);
  for (const [method, body] of [['GET'], ['PATCH', { content: 'x' }], ['DELETE']] as const) {
    const answer = await call(method, `/threads/${sibling.id}/messages/${message.id}`, { body });
    expect([method, answer.status]).toEqual([method, 404]);
  }
});
