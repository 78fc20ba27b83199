import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '@waymark/contracts';
import type { Owner } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

/** Nobody can raise their own role or act on a higher role. */
const product = joinProduct();
let owner: Owner & { key: string };
const people = {} as Record<Exclude<Role, 'owner'>, Owner & { memberId: string }>;
let ownerMemberId: string;
beforeAll(async () => {
  owner = await product.workspace();
  for (const role of ['admin', 'member', 'viewer'] as const) {
    const person = await product.signUp(`The ${role}`);
    people[role] = { ...person, memberId: await product.addMember(owner, person, role) };
  }
  ownerMemberId = (await members()).find(({ user_id }) => user_id === owner.userId)!.id;
});
afterAll(() => product.leave());

async function members(): Promise<{ id: string; user_id: string; role: Role }[]> {
  const query = { workspaceId: owner.workspaceId };
  return (await product.call('GET', '/members', { cookie: owner.cookie, query })).body.data;
}

const setRole = (by: { cookie?: string; key?: string }, memberId: string, role: Role) =>
  product.call('PATCH', `/members/${memberId}`, { ...credentials(by), body: { role } });
const remove = (by: { cookie?: string; key?: string }, memberId: string) =>
  product.call('DELETE', `/members/${memberId}`, credentials(by));
const credentials = ({ cookie, key }: { cookie?: string; key?: string }) => ({
  ...(cookie && { cookie }),
  ...(key && { key }),
});

const roles = ['admin', 'member', 'viewer'] as const;

describe.each(roles)('a workspace’s %s', (role) => {
  it('cannot make anyone an owner', async () => {
    const before = await members();
    for (const target of roles) {
      const answer = await setRole(people[role], people[target].memberId, 'owner');
      expect([target, answer.status, answer.body.error]).toEqual([target, 403, 'FORBIDDEN']);
    }
    const outsider = await product.signUp('An Outsider');
    const body = { workspaceId: owner.workspaceId, email: outsider.email, role: 'owner' };
    const added = await product.call('POST', '/members', { cookie: people[role].cookie, body });
    expect([added.status, added.body.error]).toEqual([403, 'FORBIDDEN']);
    expect(await members()).toEqual(before);
  });

  it('cannot demote or remove the owner', async () => {
    for (const answer of [
      await setRole(people[role], ownerMemberId, 'viewer'),
      await remove(people[role], ownerMemberId),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
    }
  });

  it('cannot delete the workspace or change its plan', async () => {
    const { cookie } = people[role];
    const path = `/workspaces/${owner.workspaceId}`;
    for (const answer of [
      await product.call('DELETE', path, { cookie }),
      await product.call('PUT', `${path}/plan`, { cookie, body: { plan: 'enterprise' } }),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
    }
  });
});

describe.each(['member', 'viewer'] as const)('a workspace’s %s', (role) => {
  it('cannot become an admin or use the settings', async () => {
    const { cookie, memberId } = people[role];
    const query = { workspaceId: owner.workspaceId };
    const key = { workspaceId: owner.workspaceId, name: 'mine', scopes: ['read', 'write'] };
    const webhook = { workspaceId: owner.workspaceId, url: 'https://example.com' };
    const answers = [
      await setRole({ cookie }, memberId, 'admin'),
      await product.call('POST', '/api-keys', { cookie, body: key }),
      await product.call('GET', '/api-keys', { cookie, query }),
      await product.call('GET', '/webhooks', { cookie, query }),
      await product.call('POST', '/webhooks', { cookie, body: { ...webhook, events: ['decision.created'] } }),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.error}`)).toEqual(
      answers.map(() => '403 FORBIDDEN'),
    );
  });
});

describe('a key of the owner', () => {
  it('cannot use the settings', async () => {
    const { key } = owner;
    const answers = [
      await setRole({ key }, people.viewer.memberId, 'owner'),
      await remove({ key }, people.viewer.memberId),
      await product.call('PUT', `/workspaces/${owner.workspaceId}/plan`, {
        key,
        body: { plan: 'enterprise' },
      }),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.error}`)).toEqual(
      answers.map(() => '403 FORBIDDEN'),
    );
  });
});

describe('a viewer', () => {
  it('cannot change anything', async () => {
    const { cookie } = people.viewer;
    const query = { workspaceId: owner.workspaceId };
    const answers = [
      await product.call('POST', '/decisions', { cookie, query, body: { title: 'By a viewer' } }),
      await product.call('POST', '/workflows', { cookie, body: { ...query, title: 'By a viewer' } }),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.error}`)).toEqual([
      '403 FORBIDDEN',
      '403 FORBIDDEN',
    ]);
  });
});
