import { describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();

describe('GET /decisions/{id}', () => {
  it('returns the record with its version as ETag, to keys and members', async () => {
    const key = keyPrincipal();
    const decision = await suite.create(key, { title: 'Read me' });
    const viewer = sessionPrincipal({ workspaceId: key.workspace_id, role: 'viewer' });
    for (const principal of [
      key,
      viewer,
      keyPrincipal({ workspace_id: key.workspace_id, scopes: ['read'] }),
    ]) {
      const answer = await suite.get(principal, `/decisions/${decision.id}`);
      expect([answer.status, answer.headers['etag'], answer.body]).toEqual([200, '"v1"', decision]);
    }
  });

  it('includes the parts that are asked for, as their own operations return them, without an ETag', async () => {
    const key = keyPrincipal();
    const first = await suite.create(key, { title: 'First' });
    const { id } = await suite.create(key, { title: 'Second', supersedes: first.id });
    for (let n = 0; n <= limits.includedRecords; n += 1)
      await suite.patch(key, id, { outcome: n % 2 ? 'success' : 'partial' });
    const answer = await suite.get(key, `/decisions/${id}`, { include: 'quality,outcomes,history,links' });
    const { included, ...decision } = answer.body;
    expect(decision).toEqual((await suite.get(key, `/decisions/${id}`)).body);
    expect(answer.headers['etag']).toBeUndefined();
    const limit = String(limits.includedRecords);
    const partOf = async (name: string, query = {}) =>
      (await suite.get(key, `/decisions/${id}/${name}`, query)).body;
    expect(included).toEqual({
      quality: await partOf('quality'),
      outcomes: await partOf('outcomes', { limit }),
      history: await partOf('history', { limit }),
      links: await partOf('links', { limit }),
    });
    expect(included.outcomes.data).toHaveLength(limits.includedRecords);
    const rest = await partOf('outcomes', { cursor: included.outcomes.next_cursor });
    expect(rest.data).toHaveLength(1);
    const two = await suite.get(key, `/decisions/${id}`, { include: 'links,quality' });
    expect(Object.keys(two.body.included)).toEqual(['links', 'quality']);
    expect((await suite.get(key, `/decisions/${id}`, { include: 'nothing' })).status).toBe(400);
  });
});
