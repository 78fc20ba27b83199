import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Stand, startStand } from './threads-stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

describe('the workspace of a node', () => {
  it('is asked for once by who reads, and by each who writes, for whom its life counts', async () => {
    const { id, call } = stand.node();
    const before = stand.lookUps();
    for (let i = 0; i < 3; i += 1) await call('GET', `/threads/${id}`);
    expect(stand.lookUps() - before).toBe(1);
    for (let i = 0; i < 2; i += 1) await call('POST', `/threads/${id}`, { body: { content: `${i}` } });
    expect(stand.lookUps() - before).toBe(3);
    expect((await call('GET', `/threads/${id}`)).body.messages).toHaveLength(2);
    expect(stand.lookUps() - before).toBe(3);
  });

  it('is asked for again while there is no such node', async () => {
    const { call, ...node } = stand.node();
    stand.nodes.delete(node.id);
    expect((await call('GET', `/threads/${node.id}`)).status).toBe(404);
    stand.nodes.set(node.id, node);
    expect((await call('GET', `/threads/${node.id}`)).status).toBe(200);
  });

  it('that is known is enough while workflows is away; others get 503', async () => {
    const [known, unknown] = [stand.node(), stand.node()];
    await known.call('GET', `/threads/${known.id}`);
    stand.setAway(true);
    try {
      const posted = await known.call('POST', `/threads/${known.id}`, { body: { content: 'x' } });
      expect(posted.status).toBe(201);
      const refused = await unknown.call('GET', `/threads/${unknown.id}`);
      expect([refused.status, refused.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      stand.setAway(false);
    }
    expect((await unknown.call('GET', `/threads/${unknown.id}`)).status).toBe(200);
  });
});
