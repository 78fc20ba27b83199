import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '@waymark/contracts';
import type { Owner } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

/** What an admin may not do; operation-roles.test.ts has the roles that may change no member. */
const product = joinProduct();
let owner: Owner & { key: string };
let admin: Owner;
beforeAll(async () => {
  owner = await product.workspace();
  admin = await product.signUp('The admin');
  await product.addMember(owner, admin, 'admin');
  await product.addMember(owner, await product.signUp('The viewer'), 'viewer');
});

async function members(): Promise<{ id: string; role: Role }[]> {
  const query = { workspaceId: owner.workspaceId };
  return (await product.call('GET', '/members', { cookie: owner.cookie, query })).body.data;
}

const asAdmin = async (method: string, path: string, body?: object) => {
  const answer = await product.call(method, path, { cookie: admin.cookie, ...(body && { body }) });
  expect([path, answer.status, answer.body.error]).toEqual([path, 403, 'FORBIDDEN']);
};

describe('an admin', () => {
  it('cannot make anyone an owner, nor demote or remove the owner', async () => {
    const before = await members();
    for (const { id } of before) await asAdmin('PATCH', `/members/${id}`, { role: 'owner' });
    const { email } = await product.signUp('An Outsider');
    await asAdmin('POST', '/members', { workspaceId: owner.workspaceId, email, role: 'owner' });
    const { id } = before.find(({ role }) => role === 'owner')!;
    await asAdmin('PATCH', `/members/${id}`, { role: 'viewer' });
    await asAdmin('DELETE', `/members/${id}`);
    expect(await members()).toEqual(before);
  });
});
