import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAccounts } from '@waymark/accounts';
import { limits } from '@waymark/contracts';
import { startGateway } from '@waymark/gateway';
import type { RunningService } from '@waymark/service-kit/process';
import {
  type Answer,
  type Owner,
  type Stack,
  type StackClient,
  stackClient,
  startStack,
} from '@waymark/testing';

const ROUNDS = 15;
const CAP = 4;

/**
 * Two replicas of accounts, each behind its own gateway. One process serializes the writes of a workspace;
 * between two processes only the database prevents conflicts.
 */
let product: Stack;
let replica: RunningService;
let gateway: RunningService;
let other: StackClient & { close: () => void };
beforeAll(async () => {
  const limited = { API_KEYS_PER_WORKSPACE: String(CAP), MEMBERS_PER_WORKSPACE: String(CAP) };
  product = await startStack({ accounts: startAccounts, gateway: startGateway }, { env: limited });
  const { env } = product;
  const own = { PORT: '0', ADMIN_PORT: '0' };
  replica = await startAccounts({ ...env, ...own, MONGODB_DATABASE: `${env['NATS_PREFIX']}_accounts` });
  await replica.ready;
  gateway = await startGateway({ ...env, ...own, ACCOUNTS_URL: replica.url });
  other = stackClient(gateway.url, { suffix: 'other' });
});
afterAll(async () => {
  other.close();
  await gateway.stop();
  await replica.stop();
  await product.stop();
});

type Client = Pick<StackClient, 'call'>;

/** Sends a request to each replica at the same moment. */
function concurrently(
  first: (client: Client) => Promise<Answer>,
  second: (client: Client) => Promise<Answer>,
): Promise<[Answer, Answer]> {
  return Promise.all([first(product), second(other)]);
}

const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

async function memberships(cookie: string, workspaceId: string) {
  const answer = await product.call('GET', '/members', { cookie, query: { workspaceId } });
  return answer.body.data as { id: string; user_id: string; role: string }[];
}

/** Creates a workspace for a user who already has others. */
async function workspaceOf({ cookie }: Owner): Promise<string> {
  const answer = await product.call('POST', '/workspaces', { cookie, body: { name: 'Contended' } });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

/** Creates a workspace with two owners. */
async function owned(first: Owner, second: Owner) {
  const workspaceId = await workspaceOf(first);
  await product.addMember({ ...first, workspaceId }, second, 'owner');
  const members = await memberships(first.cookie, workspaceId);
  const idOf = ({ userId }: Owner) => members.find((member) => member.user_id === userId)!.id;
  return { workspaceId, idOf };
}

describe('concurrent writes of which only one may succeed', () => {
  it('two owners who demote each other never both succeed', async () => {
    const [first, second] = [await product.signUp(), await product.signUp()];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { workspaceId, idOf } = await owned(first, second);
      const demote = (by: Owner, whom: Owner) => (client: Client) =>
        client.call('PATCH', `/members/${idOf(whom)}`, { cookie: by.cookie, body: { role: 'member' } });
      const answers = await concurrently(demote(first, second), demote(second, first));
      const [succeeded, refused] = statusesOf(answers);
      expect(succeeded).toBe(200);
      expect([403, 409]).toContain(refused);
      const cookie = answers[0].status === 200 ? first.cookie : second.cookie;
      const owners = (await memberships(cookie, workspaceId)).filter((member) => member.role === 'owner');
      expect(owners).toHaveLength(1);
    }
  });

  it('two owners who leave concurrently never both succeed', async () => {
    const [first, second] = [await product.signUp(), await product.signUp()];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { idOf } = await owned(first, second);
      const leave = (owner: Owner) => (client: Client) =>
        client.call('DELETE', `/members/${idOf(owner)}`, { cookie: owner.cookie });
      expect(statusesOf(await concurrently(leave(first), leave(second)))).toEqual([204, 409]);
    }
  });

  it('only one of two keys gets the last place under the cap', async () => {
    const owner = await product.signUp();
    const { cookie } = owner;
    for (let round = 0; round < ROUNDS; round += 1) {
      const workspaceId = await workspaceOf(owner);
      for (let i = 1; i < CAP; i += 1) await product.createKey({ ...owner, workspaceId });
      const create = (client: Client) =>
        client.call('POST', '/api-keys', {
          cookie,
          body: { workspaceId, name: 'the last', scopes: ['read'] },
        });
      expect(statusesOf(await concurrently(create, create))).toEqual([201, 409]);
      const keys = await product.call('GET', '/api-keys', { cookie, query: { workspaceId } });
      expect(keys.body.data).toHaveLength(CAP);
    }
  });

  it('only one of two people becomes the last member under the cap', async () => {
    const [owner, one, another] = [await product.signUp(), await product.signUp(), await product.signUp()];
    const others = await Promise.all(Array.from({ length: CAP - 2 }, () => product.signUp()));
    const { cookie } = owner;
    for (let round = 0; round < ROUNDS; round += 1) {
      const workspaceId = await workspaceOf(owner);
      const acceptanceBy = async ({ email, cookie: theirs }: Owner) => {
        const body = { workspaceId, email, role: 'member' };
        const { url } = (await product.call('POST', '/members', { cookie, body })).body;
        const input = { cookie: theirs, body: { token: new URL(url).hash.slice(1) } };
        return (client: Client) => client.call('POST', '/invitations/accept', input);
      };
      for (const member of others) await product.addMember({ cookie, workspaceId }, member, 'member');
      const [accept, acceptToo] = [await acceptanceBy(one), await acceptanceBy(another)];
      expect(statusesOf(await concurrently(accept, acceptToo))).toEqual([200, 409]);
      expect(await memberships(cookie, workspaceId)).toHaveLength(CAP);
    }
  });

  it('only one of two invitations gets the last place under the cap', async () => {
    const owner = await product.signUp();
    const { cookie } = owner;
    const workspaceId = await workspaceOf(owner);
    const invite = (client: Client) =>
      client.call('POST', '/invitations', { cookie, body: { workspaceId, role: 'member' } });
    for (let i = 1; i < limits.invitationsPerWorkspace; i += 1)
      expect((await invite(product)).status).toBe(201);
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await concurrently(invite, invite);
      expect(statusesOf(answers)).toEqual([201, 409]);
      // Frees the last place again.
      const { id } = answers.find(({ status }) => status === 201)!.body;
      expect((await product.call('DELETE', `/invitations/${id}`, { cookie })).status).toBe(204);
    }
  });
});
