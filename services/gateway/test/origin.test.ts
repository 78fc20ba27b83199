import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { useStand } from './stand.ts';

const CONSOLE = 'https://console.example';
const OWN = 'http://waymark.test';

const stand = useStand({ env: { LIMIT_SCALE: '100', CORS_ORIGINS: CONSOLE } });
let cookie: string;
let key: string;
const workspaceId = newId();
beforeAll(() => {
  const session = stand.accounts.createSession();
  stand.accounts.join(session.userId, { workspace_id: workspaceId, role: 'owner' });
  cookie = session.cookie;
  key = stand.accounts.createKey({ workspace_id: workspaceId }).key;
});

const post = (input: { key?: string; cookie?: string }, headers: Record<string, string>) =>
  stand.call('POST', '/quality', { ...input, headers, query: { workspaceId }, body: {} });
const signIn = (headers: Record<string, string>) =>
  stand.call('POST', '/auth/sign-in', { headers, body: {} });

describe('a change with a session', () => {
  it.each<[string, Record<string, string>, number]>([
    ['our own page', { origin: OWN }, 200],
    ['a configured origin', { origin: CONSOLE }, 200],
    ['no browser', {}, 200],
    ['our own page, without Origin', { 'sec-fetch-site': 'same-origin' }, 200],
    ['another site', { origin: 'https://evil.example' }, 403],
    ['a subdomain of ours', { origin: 'http://sub.waymark.test' }, 403],
    ['our host over another scheme', { origin: 'https://waymark.test' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['another site, without Origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('from %s', async (_, headers, status) => {
    const answer = await post({ cookie }, headers);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toMatchObject({ error: 'FORBIDDEN', reason: 'origin' });
    expect((await signIn(headers)).status).toBe(status);
  });
});

describe('a request without an Origin header', () => {
  it('is accepted if it only reads with a session, or if it has a key', async () => {
    const evil = { origin: 'https://evil.example' };
    expect((await stand.call('GET', '/whoami', { cookie, headers: evil })).status).toBe(200);
    expect((await post({ key, cookie }, evil)).status).toBe(200);
  });
});

describe('CORS', () => {
  it('lets pages of configured origins read answers and errors, and no others', async () => {
    for (const path of ['/whoami', '/nowhere']) {
      const open = await stand.call('GET', path, { cookie, headers: { origin: CONSOLE } });
      expect(open.headers).toMatchObject({
        'access-control-allow-origin': CONSOLE,
        'access-control-allow-credentials': 'true',
        vary: 'Origin, Accept-Encoding',
      });
      const exposed = open.headers['access-control-expose-headers']!.split(', ');
      expect(exposed).toEqual(expect.arrayContaining(['X-RateLimit-Remaining', 'ETag', 'Location', 'Allow']));
      const closed = await stand.call('GET', path, { cookie, headers: { origin: 'https://evil.example' } });
      expect(closed.headers).not.toHaveProperty('access-control-allow-origin');
      expect(closed.headers['vary']).toBe('Origin, Accept-Encoding');
    }
  });

  it('answers a preflight for configured origins only, and lists the methods of the path', async () => {
    const ask = (origin: string, path: string) =>
      stand.call('OPTIONS', path, { headers: { origin, 'access-control-request-method': 'PATCH' } });
    const open = await ask(CONSOLE, `/decisions/${newId()}`);
    expect(open.status).toBe(204);
    expect(open.headers['access-control-allow-methods']).toBe('GET, HEAD, PATCH, DELETE, OPTIONS');
    const sendable = open.headers['access-control-allow-headers']!.split(', ');
    expect(sendable).toEqual(expect.arrayContaining(['Idempotency-Key', 'Mcp-Method', 'Mcp-Name']));
    expect((await ask('https://evil.example', '/decisions')).status).toBe(403);
    expect((await ask(CONSOLE, '/nowhere')).status).toBe(404);
    expect((await stand.call('OPTIONS', '/decisions')).status).toBe(204);
  });
});
