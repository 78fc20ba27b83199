import { describe, expect, it } from '@jest/globals';
import { threadsStack } from './threads-stack.ts';

const stack = await threadsStack();

describe('the workspace of a node', () => {
  it('is looked up once for all reads, and once for each write, which needs a node that still exists', async () => {
    const { id, call } = stack.node();
    const before = stack.lookUps();
    for (let i = 0; i < 3; i += 1) await call('GET', `/threads/${id}`);
    expect(stack.lookUps() - before).toBe(1);
    for (let i = 0; i < 2; i += 1) await call('POST', `/threads/${id}`, { body: { content: `${i}` } });
    expect(stack.lookUps() - before).toBe(3);
    expect((await call('GET', `/threads/${id}`)).body.messages).toHaveLength(2);
    expect(stack.lookUps() - before).toBe(3);
  });

  it('is looked up again while the node does not exist', async () => {
    const { call, ...node } = stack.node();
    stack.nodes.delete(node.id);
    expect((await call('GET', `/threads/${node.id}`)).status).toBe(404);
    stack.nodes.set(node.id, node);
    expect((await call('GET', `/threads/${node.id}`)).status).toBe(200);
  });

  it('comes from the cache while workflows is unavailable; an unknown node gets 503', async () => {
    const [known, unknown] = [stack.node(), stack.node()];
    await known.call('GET', `/threads/${known.id}`);
    stack.setAway(true);
    try {
      const posted = await known.call('POST', `/threads/${known.id}`, { body: { content: 'x' } });
      expect(posted.status).toBe(201);
      const refused = await unknown.call('GET', `/threads/${unknown.id}`);
      expect([refused.status, refused.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      stack.setAway(false);
    }
    expect((await unknown.call('GET', `/threads/${unknown.id}`)).status).toBe(200);
  });

  it('does not come from a cache of before its deletion, because it may be restored', async () => {
    const { call, ...node } = stack.node();
    const post = () => call('POST', `/threads/${node.id}`, { body: { content: 'x' } });
    expect(await post()).toMatchObject({ status: 201 });
    await stack.deleteNode(node);
    await stack.settled();
    stack.nodes.set(node.id, { ...node, version: 3, generation: 2 });
    stack.setAway(true);
    try {
      expect(await post()).toMatchObject({ status: 503 });
    } finally {
      stack.setAway(false);
    }
    expect(await post()).toMatchObject({ status: 201 });
  });
});
