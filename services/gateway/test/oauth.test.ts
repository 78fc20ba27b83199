import { describe, expect, it } from '@jest/globals';
import { httpCall } from '@waymark/testing';
import { startStand, useStand } from './stand.ts';

const stand = useStand({ env: { OAUTH_REGISTRATION: '' } });
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const token = (rawBody: string, headers: Record<string, string> = form, url = stand.url) =>
  httpCall(url, 'POST', '/oauth/token', { rawBody, headers });

describe('POST /oauth/token', () => {
  it('refuses what is no form of one grant type, and lets nobody keep the answer', async () => {
    const json = await token('{"grant_type":"refresh_token"}', { 'content-type': 'application/json' });
    expect([json.status, json.body]).toEqual([400, { error: 'invalid_request' }]);
    const answer = await token('grant_type=password', { ...form, origin: 'https://evil.example' });
    expect([answer.status, answer.body]).toEqual([400, { error: 'unsupported_grant_type' }]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    const read = await httpCall(stand.url, 'GET', '/oauth/token?grant_type=refresh_token');
    expect([read.status, read.headers['allow']]).toEqual([405, 'POST']);
  });

  it('is limited by the address, so that nobody can try many codes', async () => {
    await using limited = await startStand();
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 1_000)
      statuses.push((await token('grant_type=refresh_token', form, limited.url)).status);
    expect(statuses.at(-1)).toBe(429);
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([400]));
  });
});

describe('POST /oauth/device_authorization', () => {
  const ask = (rawBody: string) =>
    httpCall(stand.url, 'POST', '/oauth/device_authorization', { rawBody, headers: form });

  it.each([
    ['client_id=waymark-cli&scope=admin', 'invalid_scope'],
    ['client_id=somebody', 'unauthorized_client'],
    ['scope=read', 'invalid_request'],
    ['client_id=waymark-cli&client_id=waymark-cli', 'invalid_request'],
  ])('refuses %s as %s', async (rawBody, error) => {
    const answer = await ask(rawBody);
    expect([answer.status, answer.body]).toEqual([400, { error }]);
  });

  it('stands in the metadata of the authorization server', async () => {
    const { text } = await httpCall(stand.url, 'GET', '/.well-known/oauth-authorization-server');
    const { issuer, device_authorization_endpoint, grant_types_supported } = JSON.parse(text);
    expect(device_authorization_endpoint).toBe(`${issuer}/oauth/device_authorization`);
    expect(grant_types_supported).toContain('urn:ietf:params:oauth:grant-type:device_code');
  });
});

describe('POST /oauth/register', () => {
  it('does not exist unless the operator allows it', async () => {
    const rawBody = '{"redirect_uris":["https://evil.example/"]}';
    const headers = { 'content-type': 'application/json' };
    expect((await httpCall(stand.url, 'POST', '/oauth/register', { rawBody, headers })).status).toBe(404);
    const { text } = await httpCall(stand.url, 'GET', '/.well-known/oauth-authorization-server');
    expect(JSON.parse(text).registration_endpoint).toBeUndefined();
  });
});
