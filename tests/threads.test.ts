import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();

async function nodeIn({ key, workspaceId }: { key: string; workspaceId: string }) {
  const create = async (path: string, body: object) =>
    (await product.call('POST', path, { key, body })).body.id as string;
  const workflowId = await create('/workflows', { workspaceId, title: 'A workflow' });
  const node = { workflowId, workspaceId, type: 'thread', title: 'Talk', positionX: 0, positionY: 0 };
  return { workflowId, nodeId: await create('/nodes', node) };
}

describe('GET, POST /threads/{nodeId}', () => {
  it('is empty at first, begins with a message, and lists oldest first', async () => {
    const workspace = await product.workspace();
    const { key } = workspace;
    const path = `/threads/${(await nodeIn(workspace)).nodeId}`;
    const empty = await product.call('GET', path, { key });
    expect([empty.status, empty.body]).toEqual([200, { thread: null, messages: [], next_cursor: null }]);
    const first = await product.call('POST', path, { key, body: { content: 'One' } });
    expect(first.status).toBe(201);
    expect(first.body.message).toMatchObject({ content: 'One', content_type: 'text', edited_at: null });
    const markdown = { content: '**Two**', contentType: 'markdown' };
    const second = await product.call('POST', path, { cookie: workspace.cookie, body: markdown });
    expect(second.body.message.author).toEqual({
      type: 'session',
      id: workspace.userId,
      name: 'Ada Lovelace',
    });
    const read = await product.call('GET', path, { key });
    expect(read.body).toEqual({
      thread: first.body.thread,
      messages: [first.body.message, second.body.message],
      next_cursor: null,
    });
  });

  it.each([
    ['no content', {}],
    ['another content type', { content: 'x', contentType: 'html' }],
    ['content that is not text', { content: 7 }],
  ])('refuses %s', async (_, body) => {
    const workspace = await product.workspace();
    const { nodeId } = await nodeIn(workspace);
    const answer = await product.call('POST', `/threads/${nodeId}`, { key: workspace.key, body });
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('returns 404 for a node that does not exist', async () => {
    const { key } = await product.workspace();
    for (const [method, body] of [['GET'], ['POST', { content: 'x' }]] as const) {
      const absent = await product.call(method, `/threads/${newId()}`, { key, body });
      expect([absent.status, absent.body.error]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await product.call('GET', '/threads/no-uuid', { key })).status).toBe(400);
  });

  it('begins one thread when several first messages race', async () => {
    const workspace = await product.workspace();
    const { key } = workspace;
    const { nodeId } = await nodeIn(workspace);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        product.call('POST', `/threads/${nodeId}`, { key, body: { content: `${i}` } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.thread.id)).size).toBe(1);
    const read = await product.call('GET', `/threads/${nodeId}`, { key });
    expect(read.body.messages).toHaveLength(50);
  });
});

describe('GET, PATCH, DELETE /threads/{nodeId}/messages/{id}', () => {
  it('are for the author; an owner may also delete', async () => {
    const workspace = await product.workspace();
    const { key, cookie } = workspace;
    const { nodeId } = await nodeIn(workspace);
    const { message } = (await product.call('POST', `/threads/${nodeId}`, { key, body: { content: 'x' } }))
      .body;
    const path = `/threads/${nodeId}/messages/${message.id}`;
    const body = { content: 'edited' };
    expect((await product.call('PATCH', path, { cookie, body })).body.error).toBe('FORBIDDEN');
    const edited = await product.call('PATCH', path, { key, body });
    expect(edited.body).toEqual({ ...message, ...body, edited_at: expect.any(String) });
    expect((await product.call('GET', path, { cookie })).body).toEqual(edited.body);
    expect((await product.call('DELETE', path, { cookie })).status).toBe(204);
    expect((await product.call('GET', path, { key })).status).toBe(404);
  });
});

describe('a deleted node', () => {
  it.each(['node', 'workflow', 'graph'])('loses its thread when the %s is deleted', async (what) => {
    const workspace = await product.workspace();
    const { key } = workspace;
    const { workflowId, nodeId } = await nodeIn(workspace);
    await product.call('POST', `/threads/${nodeId}`, { key, body: { content: 'x' } });
    const deletions = {
      node: ['DELETE', `/nodes/${nodeId}`, {}],
      workflow: ['DELETE', `/workflows/${workflowId}`, {}],
      graph: [
        'PUT',
        `/workflows/${workflowId}/graph`,
        { body: { nodes: [], edges: [] }, headers: { 'If-Match': '*' } },
      ],
    } as const;
    const [method, path, input] = deletions[what as keyof typeof deletions];
    expect((await product.call(method, path, { key, ...input })).status).toBeLessThan(300);
    await eventually(async () => {
      expect((await product.call('GET', `/threads/${nodeId}`, { key })).status).toBe(404);
    });
    const late = await product.call('POST', `/threads/${nodeId}`, { key, body: { content: 'late' } });
    expect(late.body.error).toBe('NOT_FOUND');
  });
});
