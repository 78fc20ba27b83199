import { describe, expect, it } from '@jest/globals';
import { eventually, type Owner, openEventSource } from '@waymark/testing';
import { codeAt } from '../services/accounts/test/authenticator-app.ts';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();

/** Adds an authenticator app to the account of a session. */
async function enrol({ cookie, password }: Owner): Promise<void> {
  const options = { cookie, body: { currentPassword: password } };
  const { secret, enrolment } = (await product.call('POST', '/auth/totp/options', options)).body;
  const code = codeAt(secret, Date.now());
  const added = await product.call('POST', '/auth/totp', { cookie, body: { enrolment, code } });
  expect([added.status, added.text]).toEqual([201, added.text]);
}

describe('a workspace that requires a second factor', () => {
  it('refuses sessions without one in every service, at once, and no key', async () => {
    const owner = await product.workspace();
    const { workspaceId } = owner;
    const member = await product.signUp();
    await product.addMember(owner, member, 'member');
    const { key: serviceKey } = await product.createServiceKey(owner, 'admin');
    const query = { workspaceId };
    const { cookie } = member;
    const decision = await product.call('POST', '/decisions', { cookie, query, body: { title: 'Before' } });
    expect([decision.status, decision.text]).toEqual([201, decision.text]);
    const { id } = decision.body;
    const stream = await openEventSource(`${product.url}/v1/events?workspaceId=${workspaceId}`, {
      cookie: member.cookie,
    });
    await enrol(owner);
    await eventually(async () => {
      const body = { requireSecondFactor: true };
      const answer = await product.call('PATCH', `/workspaces/${workspaceId}`, {
        cookie: owner.cookie,
        body,
      });
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
    });

    // By its query at the gateway, by its path or its body at a service.
    const calls = (cookie: string) => [
      product.call('GET', '/decisions', { cookie, query }),
      product.call('GET', `/decisions/${id}`, { cookie, query }),
      product.call('PATCH', `/decisions/${id}`, { cookie, query, body: { title: 'After' } }),
      product.call('GET', `/workspaces/${workspaceId}`, { cookie }),
      product.call('POST', '/workflows', { cookie, body: { workspaceId, title: 'After' } }),
      product.call('GET', '/search', { cookie, query: { ...query, q: 'before' } }),
    ];
    const reasons = async () => (await Promise.all(calls(member.cookie))).map(({ body }) => body.reason);
    await eventually(async () => expect(await reasons()).toEqual(Array(6).fill('second_factor')));
    await stream.ended;
    for (const key of [owner.key, serviceKey])
      expect((await product.call('GET', `/decisions/${id}`, { key })).body.title).toBe('Before');

    await enrol(member);
    await eventually(async () => {
      const statuses = (await Promise.all(calls(member.cookie))).map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 200, 200, 201, 200]);
    });
    const entry = await eventually(async () => {
      const filter = { ...query, action: 'workspace.update' };
      const { body } = await product.call('GET', '/audit-log', { cookie: owner.cookie, query: filter });
      return body.data[0] ?? false;
    });
    expect(entry.changes).toEqual({ require_second_factor: { before: false, after: true } });
  });
});
