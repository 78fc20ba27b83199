import { describe, expect, it } from '@jest/globals';
import { eventually, type Owner } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();

async function feedOf({ cookie }: Pick<Owner, 'cookie'>, workspaceId: string): Promise<string> {
  const input = { cookie, body: { workspaceId } };
  const answer = await product.call('POST', '/decisions/calendar-token', input);
  expect(answer.status).toBe(201);
  return new URL(answer.body.url).searchParams.get('token')!;
}
const read = (query: Record<string, string>) => product.call('GET', '/decisions.ics', { query });

describe('GET /decisions.ics', () => {
  it('requires only the URL, and lists the decisions that are due', async () => {
    const { key, cookie, workspaceId } = await product.workspace();
    const body = { title: 'Due, some day', expectedBy: '2099-12-31' };
    await product.call('POST', '/decisions', { key, query: { workspaceId }, body });
    const answer = await read({ token: await feedOf({ cookie }, workspaceId) });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(answer.text).toContain('SUMMARY:Outcome expected: Due\\, some day\r\n');
    expect(answer.text).toContain('DTSTART;VALUE=DATE:20991231\r\n');
  });

  it('does not accept an API key or a cookie instead of the token', async () => {
    const { key, cookie, workspaceId } = await product.workspace();
    expect((await read({ token: key })).status).toBe(401);
    for (const credentials of [{ key }, { cookie }]) {
      expect((await product.call('GET', '/decisions.ics', credentials)).status).toBe(401);
    }
    expect((await read({ token: await feedOf({ cookie }, workspaceId), workspaceId })).status).toBe(400);
  });

  it('does not grant access to any other operation', async () => {
    const { cookie, workspaceId } = await product.workspace();
    const token = await feedOf({ cookie }, workspaceId);
    for (const input of [{ key: token }, { query: { token } }, { cookie: `waymark_session=${token}` }]) {
      const answer = await product.call('GET', '/decisions', {
        ...input,
        query: { workspaceId, ...('query' in input ? input.query : {}) },
      });
      expect([answer.status, answer.body.error]).toEqual([401, 'UNAUTHORIZED']);
    }
  });

  it('stops working immediately when its user is removed or revokes it', async () => {
    const owner = await product.workspace();
    const { workspaceId } = owner;
    const user = await product.signUp('A Viewer');
    const memberId = await product.addMember(owner, user, 'viewer');
    const theirs = await feedOf(user, workspaceId);
    const mine = await feedOf(owner, workspaceId);
    expect((await read({ token: theirs })).status).toBe(200);
    await product.call('DELETE', `/members/${memberId}`, { cookie: owner.cookie });
    await eventually(async () => expect((await read({ token: theirs })).status).toBe(401));
    expect((await read({ token: mine })).status).toBe(200);
    const query = { workspaceId };
    await product.call('DELETE', '/decisions/calendar-token', { cookie: owner.cookie, query });
    expect((await read({ token: mine })).status).toBe(401);
  });

  it('ends when its user changes the password', async () => {
    const { cookie, password, workspaceId } = await product.workspace();
    const token = await feedOf({ cookie }, workspaceId);
    const body = { currentPassword: password, newPassword: 'another battery staple horse' };
    expect((await product.call('POST', '/auth/password', { cookie, body })).status).toBe(204);
    expect((await read({ token })).status).toBe(401);
    expect((await read({ token: await feedOf({ cookie }, workspaceId) })).status).toBe(200);
  });
});
