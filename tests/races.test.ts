import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stack } from '@waymark/testing';
import { startProduct } from './product.ts';

const ROUNDS = 15;

let product: Stack;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.stop());

async function memberships(cookie: string, workspaceId: string) {
  const answer = await product.call('GET', '/members', { cookie, query: { workspaceId } });
  return answer.body.data as { id: string; user_id: string; role: string }[];
}

describe('writes that are each allowed alone and not together', () => {
  it('two owners who demote each other never both succeed', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const first = await product.signUp('First Owner');
      const second = await product.signUp('Second Owner');
      const { workspaceId } = first;
      await product.call('POST', '/members', {
        cookie: first.cookie,
        body: { workspaceId, email: second.email, role: 'owner' },
      });
      const members = await memberships(first.cookie, workspaceId);
      const idOf = (userId: string) => members.find((member) => member.user_id === userId)!.id;
      const demote = (cookie: string, userId: string) =>
        product.call('PATCH', `/members/${idOf(userId)}`, { cookie, body: { role: 'member' } });
      const answers = await Promise.all([
        demote(first.cookie, second.userId),
        demote(second.cookie, first.userId),
      ]);
      const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
      expect(statuses[0]).toBe(200);
      expect([403, 409]).toContain(statuses[1]);
      const cookie = answers[0]!.status === 200 ? first.cookie : second.cookie;
      const owners = (await memberships(cookie, workspaceId)).filter((member) => member.role === 'owner');
      expect(owners).toHaveLength(1);
    }
  });

  it('two owners who leave at once never both succeed', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const first = await product.signUp('First Owner');
      const second = await product.signUp('Second Owner');
      const { workspaceId } = first;
      await product.call('POST', '/members', {
        cookie: first.cookie,
        body: { workspaceId, email: second.email, role: 'owner' },
      });
      const members = await memberships(first.cookie, workspaceId);
      const answers = await Promise.all(
        [first, second].map((user) => {
          const mine = members.find((member) => member.user_id === user.userId)!;
          return product.call('DELETE', `/members/${mine.id}`, { cookie: user.cookie });
        }),
      );
      expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([204, 409]);
    }
  });
});
