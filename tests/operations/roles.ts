import { beforeAll, expect, it } from '@jest/globals';
import { type Operation, operationList, type Role, type ServiceAccountRole } from '@waymark/contracts';
import { type Answer, eventually } from '@waymark/testing';
import { byId, pathTo, validInput } from '../support/records.ts';
import type { Fixture } from './fixture.ts';

const ASCENDING = ['stranger', 'viewer', 'member', 'admin', 'owner'] as const satisfies ('stranger' | Role)[];
const below = (role: Role) =>
  ASCENDING.slice(0, ASCENDING.indexOf(role)) as ('stranger' | ServiceAccountRole)[];

/** The event stream never ends. */
const isRead = (operation: Operation) => operation.method === 'GET' && operation.id !== 'streamEvents';
const ofWorkspace = operationList.filter(({ role }) => role);
const takesServiceAccounts = ofWorkspace.filter(({ scope }) => scope);
const readByAccounts = takesServiceAccounts.filter((one) => isRead(one) && one.role !== 'owner');
const reads = ofWorkspace.filter((operation) => operation.role === 'viewer' && isRead(operation));

interface Listed {
  id: string;
  role: Role;
}

/** Calls each operation of a workspace with valid input, as people and service accounts of every role. */
export function roles({ product, receiver, mine, theirs }: Fixture): void {
  const { serviceKeys, members, records } = mine;
  const cookieOf = (who: 'stranger' | ServiceAccountRole) =>
    who === 'stranger' ? theirs.cookie : members[who].cookie;
  const others = [members.admin.email, members.member.email];
  beforeAll(async () => {
    await eventually(async () => {
      const query = { workspaceId: mine.workspaceId };
      const { text } = await product.call('GET', '/audit-log', { cookie: mine.cookie, query });
      for (const email of others) expect(text).toContain(email);
    });
  });

  function call(operation: Operation, by: { cookie: string } | { key: string }): Promise<Answer> {
    const input = validInput(operation, records, receiver.url);
    return product.call(operation.method, pathTo(operation, records), { ...by, ...input });
  }

  it.each(byId(ofWorkspace))(
    '%s refuses callers with a role that is too low, and callers without a role',
    async (_, operation) => {
      for (const who of below(operation.role!)) {
        const answer = await call(operation, { cookie: cookieOf(who) });
        expect([who, answer.status, answer.body?.error]).toEqual([who, 403, 'FORBIDDEN']);
      }
    },
  );

  it.each(byId(takesServiceAccounts))(
    '%s refuses keys of service accounts with a role that is too low',
    async (_, operation) => {
      for (const who of below(operation.role!).filter((one) => one !== 'stranger')) {
        const answer = await call(operation, { key: serviceKeys[who] });
        // The key of a viewer has only the scope read, and the scope is checked first.
        const lacksScope = who === 'viewer' && operation.scope === 'write';
        const expected = lacksScope ? ['INSUFFICIENT_SCOPE', undefined] : ['FORBIDDEN', 'role'];
        const { error, reason } = answer.body;
        expect([who, answer.status, error, reason]).toEqual([who, 403, ...expected]);
      }
    },
  );

  it.each(byId(readByAccounts))(
    '%s responds to the key of a service account with the least role',
    async (_, operation) => {
      const answer = await call(operation, { key: serviceKeys[operation.role as ServiceAccountRole] });
      expect([answer.status, answer.body?.error]).toEqual([200, undefined]);
    },
  );

  it.each(byId(reads))(
    '%s responds to a viewer, without the e-mail address of anybody else',
    async (_, operation) => {
      const answer = await call(operation, { cookie: members.viewer.cookie });
      expect(answer.status).toBe(200);
      for (const email of others) expect(answer.text).not.toContain(email);
    },
  );

  it('lets an admin neither make anyone an owner, nor demote or remove the owner, nor delete the workspace', async () => {
    const query = { workspaceId: mine.workspaceId };
    const list = async () =>
      (await product.call('GET', '/members', { cookie: mine.cookie, query })).body.data as Listed[];
    const before = await list();
    const owner = before.find(({ role }) => role === 'owner')!;
    const { email } = theirs;
    const attempts = [
      ...before.map(({ id }) => ['PATCH', `/members/${id}`, { role: 'owner' }] as const),
      ['POST', '/members', { workspaceId: mine.workspaceId, email, role: 'owner' }] as const,
      ['PATCH', `/members/${owner.id}`, { role: 'viewer' }] as const,
      ['DELETE', `/members/${owner.id}`] as const,
      ['DELETE', `/workspaces/${mine.workspaceId}`] as const,
    ];
    for (const [method, path, body] of attempts) {
      const { cookie } = members.admin;
      const answer = await product.call(method, path, { cookie, ...(body && { body }) });
      expect([path, answer.status, answer.body.error]).toEqual([path, 403, 'FORBIDDEN']);
    }
    expect(await list()).toEqual(before);
  });
}
