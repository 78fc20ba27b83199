import { describe, expect, it } from '@jest/globals';
import { keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();

describe('GET /decisions/facets', () => {
  it('counts what matches, and each kind of values without its own filter', async () => {
    const key = keyPrincipal();
    const other = keyPrincipal({ workspace_id: key.workspace_id });
    await suite.create(keyPrincipal(), { title: 'elsewhere', tags: ['secret'], decisionType: 'secret' });
    const { created_by: me } = await suite.create(key, { title: 'A', tags: ['x', 'y'], decisionType: 't' });
    await suite.create(key, { title: 'AB', tags: ['y'], status: 'accepted' });
    const { created_by: them } = await suite.create(other, { title: 'B', tags: ['z'], decisionType: 't' });
    const facets = async (query = {}) => {
      suite.clock.nowMs += 10_000;
      const answer = await suite.get(key, '/decisions/facets', query);
      expect(answer.status).toBe(200);
      return answer.body;
    };
    const mine = { id: me, name: key.key_name, count: 2 };
    const theirs = { id: them, name: other.key_name, count: 1 };
    const x = { value: 'x', count: 1 };
    const z = { value: 'z', count: 1 };
    expect(await facets()).toEqual({
      total: 3,
      tags: [{ value: 'y', count: 2 }, x, z],
      types: [{ value: 't', count: 2 }],
      authors: [mine, theirs],
    });
    expect(await facets({ tag: 'y' })).toEqual({
      total: 2,
      tags: [{ value: 'y', count: 2 }, x, z],
      types: [{ value: 't', count: 1 }],
      authors: [mine],
    });
    expect(await facets({ text: 'b', author: them })).toEqual({
      total: 1,
      tags: [z],
      types: [{ value: 't', count: 1 }],
      authors: expect.arrayContaining([{ ...mine, count: 1 }, theirs]),
    });
    expect(await facets({ status: 'rejected' })).toEqual({ total: 0, tags: [], types: [], authors: [] });
  });
});
