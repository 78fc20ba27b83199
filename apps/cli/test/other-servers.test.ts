import { readdirSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { changelog, mintApiKey } from '@waymark/contracts';
import { testFolder } from '@waymark/testing';
import { runWith } from './run.ts';

/** What `waymark` says where no server of its version responds. */
const folder = testFolder();
const key = mintApiKey();

/** Runs a command line, and expects its failure in one line, without a stack trace or the key. */
async function fails(url: string, ...args: string[]): Promise<{ code: number; line: string }> {
  const env = { XDG_CONFIG_HOME: folder, WAYMARK_URL: url, WAYMARK_API_KEY: url && key };
  const { code, out, errors } = await runWith({ env }, ...args);
  expect([out, errors.length]).toEqual([[], 1]);
  const [line] = errors as [string];
  expect(line).not.toMatch(/\n|\bat .*\.[jt]s:\d/);
  expect(line).not.toContain(key);
  return { code, line };
}

/** Lets a command use a server that responds with `listener`. */
async function withServer<T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const page =
  (status: number): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end('<html>\u001b[31m');

describe('a command', () => {
  it('says how to sign in without credentials', async () => {
    expect(await fails('', 'whoami')).toEqual({
      code: 3,
      line: expect.stringMatching(/waymark login.*WAYMARK_API_KEY/),
    });
  });

  it.each([
    ['an older one', changelog.entries.slice(1), /older than this waymark/],
    [
      'a newer one',
      [{ date: '2027-01-01', kind: 'added', text: 'More' }, ...changelog.entries],
      /update waymark/,
    ],
  ])('says which of both to update when a server lacks an operation: %s', async (_, entries, line) => {
    const listener: RequestListener = ({ url }, response) => {
      const isChangelog = url!.endsWith('/changelog');
      const missing = { error: 'NOT_FOUND', message: 'The resource was not found.' };
      response.writeHead(isChangelog ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isChangelog ? { ...changelog, entries } : missing));
    };
    const refused = await withServer(listener, (url) => fails(url, 'decisions', 'list'));
    expect(refused).toEqual({ code: 4, line: expect.stringMatching(line) });
  });

  it.each([200, 403, 404, 500])('says that a server is not Waymark that responds with %i', async (status) => {
    const refused = await withServer(page(status), (url) => fails(url, 'decisions', 'list'));
    expect(refused).toEqual({ code: 7, line: expect.stringContaining('not as Waymark') });
  });

  it('says of a broken connection whether a change may have been made, and how to repeat it', async () => {
    const breaking: RequestListener = (request) => request.socket.destroy();
    await withServer(breaking, async (url) => {
      const read = await fails(url, 'decisions', 'list');
      expect(read).toEqual({ code: 7, line: expect.stringContaining('broke the connection') });
      const change = await fails(url, 'decisions', 'create', '--title', 'x');
      const repeat = /may have been made.*--idempotency-key \S{36}$/;
      expect(change).toEqual({ code: 7, line: expect.stringMatching(repeat) });
    });
    const stopped = await withServer(page(200), async (url) => url);
    const refused = await fails(stopped, 'decisions', 'create', '--title', 'x');
    expect(refused).toEqual({ code: 7, line: expect.stringMatching(/connection refused.*server runs$/) });
    const badPort = await fails('http://127.0.0.1:6000', 'decisions', 'create', '--title', 'x');
    expect(badPort).toEqual({ code: 7, line: expect.stringMatching(/bad port.*server runs$/) });
  });

  const notFound: RequestListener = ({ url }, response) => {
    const isChangelog = url!.endsWith('/changelog');
    const headers = {
      'content-type': 'application/json',
      'x-request-id': 'the-request',
      'set-cookie': 'a=secret',
    };
    response.writeHead(isChangelog ? 200 : 404, headers);
    const missing = { error: 'NOT_FOUND', message: 'It is gone.', docs: '/docs/errors/NOT_FOUND' };
    response.end(JSON.stringify(isChangelog ? changelog : missing));
  };

  it('says the request and the page of an error, with --json as JSON', async () => {
    await withServer(notFound, async (url) => {
      const docs = `${url}/docs/errors/NOT_FOUND`;
      const text = await fails(url, 'decisions', 'get', 'x');
      expect(text.line).toBe(`It is gone. (request the-request, ${docs})`);
      const { line } = await fails(url, 'decisions', 'get', 'x', '--json');
      const known = { error: 'NOT_FOUND', requestId: 'the-request', docs, exitCode: 4 };
      expect(JSON.parse(line)).toEqual({ message: 'It is gone.', ...known });
    });
    const { line } = await fails('', 'whoami', '--json');
    expect(JSON.parse(line)).toEqual({ message: expect.stringContaining('waymark login'), exitCode: 3 });
  });

  it('shows with --debug what it sent and received, without secrets', async () => {
    const { errors } = await withServer(notFound, (url) =>
      runWith({ env: { WAYMARK_URL: url, WAYMARK_API_KEY: key } }, 'decisions', 'get', 'x', '--debug'),
    );
    const text = errors.join('\n');
    expect(text).toMatch(
      /^> GET http:\S+\/v1\/decisions\/x\n.*^< 404 .{1,30} ms\n.*^< x-request-id: the-request$/ms,
    );
    expect(text).toContain('> authorization: ***');
    expect(text).toContain('< set-cookie: ***');
    expect(text).not.toMatch(new RegExp(`${key}|secret`));
  });

  it('leaves no file of an export that breaks off', async () => {
    const half: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-api-version': 'v1' });
      response.write('{"half":');
      setImmediate(() => response.destroy());
    };
    const broken = await withServer(half, (url) =>
      fails(url, 'export', 'workspace', '--output', join(folder, 'half.json')),
    );
    expect(broken).toEqual({ code: 7, line: expect.stringContaining('broke the connection') });
    expect(readdirSync(folder).filter((name) => name.startsWith('half'))).toEqual([]);
  });

  it('opens no browser for an address that is not of Waymark', async () => {
    const refused = await withServer(page(200), (url) => fails('', 'login', url, '--no-browser'));
    expect(refused).toEqual({ code: 7, line: expect.stringContaining('not as Waymark') });
    expect((await fails('', 'login', 'ftp://example.com')).code).toBe(2);
  });
});

describe('login --device', () => {
  /** Answers the sign-in by a code, and each poll with the next of these. */
  async function loginWith(...polls: (string | object | number)[]) {
    const asked: string[] = [];
    const listener: RequestListener = async (request, response) => {
      const isPoll = request.url === '/oauth/token';
      const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
      asked.push(`${request.url} ${form.get('scope') ?? form.get('device_code') ?? ''}`);
      const next = isPoll ? polls.shift()! : undefined;
      if (typeof next === 'number') return response.writeHead(next).end('<html>');
      const device = {
        device_code: 'of-the-device',
        user_code: 'WDJB-MJHT',
        verification_uri: 'https://there',
      };
      const answer = next ?? { ...device, expires_in: polls.length > 0 ? 600 : 0, interval: 0 };
      const isError = typeof answer === 'string';
      const isApi = request.url!.startsWith('/v1');
      response.writeHead(isError ? 400 : 200, { 'content-type': 'application/json', 'x-api-version': 'v1' });
      response.end(JSON.stringify(isApi ? changelog : isError ? { error: answer } : answer));
    };
    const env = { XDG_CONFIG_HOME: folder, SSH_CONNECTION: '192.0.2.1 50000 192.0.2.2 22' };
    const run = await withServer(listener, (url) => runWith({ env }, 'login', url));
    return { ...run, asked };
  }

  it('is the default over SSH, and polls until there is an answer', async () => {
    const pending = 'authorization_pending';
    const { errors, asked } = await loginWith(pending, 503, pending, 429, { access_token: key });
    expect(errors[0]).toBe('open https://there in a browser on any machine, and enter the code WDJB-MJHT');
    expect(asked.filter((one) => one === '/oauth/token of-the-device')).toHaveLength(5);
    expect(asked).toContain('/oauth/device_authorization read write');
    expect(asked.at(-1)).toMatch(/whoami/);
  });

  it.each([
    ['declined', ['access_denied'], /declined in the browser: nothing was created/],
    ['expired', ['expired_token'], /nobody entered the code in time/],
    ['used by another', ['invalid_grant'], /gave no key/],
    ['of no server', [{ access_token: 1 }], /gave no key/],
    ['forgotten', [], /nobody entered the code in time/],
  ])('ends when the code is %s', async (_, polls, line) => {
    const { code, errors } = await loginWith(...polls);
    expect([code, errors.at(-1)]).toEqual([3, expect.stringMatching(line)]);
  });
});
