import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAccounts } from '@waymark/accounts';
import { startGateway } from '@waymark/gateway';
import { type Answer, eventually, type Stack, startStack } from '@waymark/testing';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type LocalProvider,
  startProvider,
} from '../services/accounts/test/local-provider.ts';

const PUBLIC_URL = 'http://waymark.test';
const PASSWORD = 'correct horse battery';

let provider: LocalProvider;
let product: Stack;
beforeAll(async () => {
  provider = await startProvider(`${PUBLIC_URL}/v1/auth/oidc/callback`);
  const env = {
    PUBLIC_URL,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
  };
  product = await startStack({ accounts: startAccounts, gateway: startGateway }, { env });
});
afterAll(async () => {
  await product.stop();
  await provider.stop();
});

const cookieIn = ({ cookies }: Answer, name: string) =>
  cookies.find((line) => line.startsWith(`${name}=`))?.split(';')[0] ?? '';

describe('single sign-on through the gateway', () => {
  it('ends in the console with a signed-in user, who can set a first password', async () => {
    provider.people.set('grace', { email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' });
    const begun = await product.call('GET', '/auth/oidc/start', { query: { returnTo: '/decisions' } });
    expect(begun.status).toBe(302);
    const back = await provider.signIn(begun.headers['location']!, 'grace');

    const path = `${back.pathname.replace('/v1', '')}${back.search}`;
    const withoutFlow = await product.call('GET', path);
    expect(withoutFlow.headers['location']).toContain('sso_error=expired');
    const done = await product.call('GET', path, { cookie: cookieIn(begun, 'waymark_sign_in') });
    expect([done.status, done.headers['location']]).toEqual([302, `${PUBLIC_URL}/decisions`]);
    // Two lines set cookies and one removes the flow cookie, each with its own attributes.
    expect(done.cookies.toSorted()).toEqual([
      expect.stringMatching(/^waymark_device=[^;]+;.*HttpOnly/),
      expect.stringMatching(/^waymark_session=[^;]+;.*HttpOnly/),
      expect.stringMatching(/^waymark_sign_in=;.*HttpOnly/),
    ]);

    const cookie = cookieIn(done, 'waymark_session');
    const self = await product.call('GET', '/auth/me', { cookie });
    expect(self.body.user).toMatchObject({ email: 'grace@example.com', name: 'Grace Hopper' });
    const setting = await product.call('POST', '/auth/password', { cookie, body: { newPassword: PASSWORD } });
    expect(setting.status).toBe(204);
    const body = { email: 'grace@example.com', password: PASSWORD };
    expect((await product.call('POST', '/auth/sign-in', { body })).status).toBe(200);
    await eventually(() =>
      expect(product.events.map(({ action }) => action)).toContain('user.password_change'),
    );
  });
});
