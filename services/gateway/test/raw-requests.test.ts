import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mintApiKey } from '@waymark/contracts';
import type { DoubledKey } from './accounts-double.ts';
import { expectWhole, sendRaw } from './raw-client.ts';
import { useStand } from './stand.ts';

const stand = useStand({ env: { LIMIT_SCALE: '100' } });
let mine: DoubledKey;
beforeAll(() => {
  mine = stand.accounts.createKey();
});
// No request here is one for a service.
afterEach(() => expect(stand.decisions.seen).toEqual([]));

const send = (bytes: string | Buffer) => sendRaw(stand.url, bytes);
const request = (line: string, ...headers: string[]) =>
  send(
    `${[line, 'Host: waymark.test', 'Connection: close', `X-Api-Key: ${mine.key}`, ...headers].join('\r\n')}\r\n\r\n`,
  );

describe('a request that two servers could read differently is 400', () => {
  it.each([
    ['an encoded slash', 'GET /v1/decisions%2F..%2fwhoami HTTP/1.1'],
    ['an encoded backslash', 'GET /v1/decisions%5cx HTTP/1.1'],
    ['an encoded dot', 'GET /v1/%2e%2e/internal HTTP/1.1'],
    ['a doubly encoded slash', 'GET /v1/decisions%252fx HTTP/1.1'],
    ['a NUL', 'GET /v1/decisions%00 HTTP/1.1'],
    ['malformed percent-encoding', 'GET /v1/%zz HTTP/1.1'],
    ['percent-encoded bytes that are not UTF-8', 'GET /v1/%ff HTTP/1.1'],
    ['malformed percent-encoding in the query', 'GET /v1/decisions?workspaceId=%zz HTTP/1.1'],
    ['a backslash', 'GET /v1\\decisions HTTP/1.1'],
    ['an absolute-form URL with a user name', 'GET http://me@127.0.0.1/v1/whoami HTTP/1.1'],
    ['an absolute-form URL of another scheme', 'GET ftp://127.0.0.1/v1/whoami HTTP/1.1'],
    ['a URL that does not parse', 'GET http://[ HTTP/1.1'],
    ['an asterisk', 'OPTIONS * HTTP/1.1'],
  ])('%s', async (name, line) => {
    const answer = await request(line);
    if (name.endsWith('query')) expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
    else expectWhole(answer, 400, 'VALIDATION_ERROR');
  });

  it('two Host headers, or none', async () => {
    expectWhole(await request('GET /v1/whoami HTTP/1.1', 'host: other.test'), 400, 'VALIDATION_ERROR');
    const none = await send('GET /v1/whoami HTTP/1.1\r\nConnection: close\r\n\r\n');
    expectWhole(none, 400, 'VALIDATION_ERROR');
  });

  it('another transfer coding than chunks', async () => {
    const coded = ['Content-Type: application/json', 'Transfer-Encoding: gzip, chunked'];
    expectWhole(await request('POST /v1/decisions HTTP/1.1', ...coded), 400, 'VALIDATION_ERROR');
  });

  it('both a Content-Length and chunks', async () => {
    const framing = ['Content-Length: 5', 'Transfer-Encoding: chunked'];
    expectWhole(await request('POST /v1/decisions HTTP/1.1', ...framing), 400, 'VALIDATION_ERROR');
  });
});

describe('the path', () => {
  it('is not normalized, so dot segments match no route', async () => {
    expectWhole(await request('GET /v1/../internal/keys/used HTTP/1.1', 'X-Api-Key: x'), 404, 'NOT_FOUND');
    const internal = await request('POST /internal/keys/resolve HTTP/1.1', 'Content-Length: 0');
    expect([internal.status, internal.body.error]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('an absolute-form URL', () => {
  it.each(['http://waymark.test', 'HTTPS://other.test:8443', 'http://127.0.0.1:80', 'http://[::1]:80'])(
    'with %s is served by its path and query',
    async (authority) => {
      const answer = await request(
        `GET ${authority}/v1/whoami?workspaceId=${mine.principal.workspace_id} HTTP/1.1`,
      );
      expect([answer.status, answer.body.keyId]).toEqual([200, mine.principal.key_id]);
    },
  );

  it('without a path names the root', async () => {
    expect((await request('POST http://waymark.test HTTP/1.1', 'Content-Length: 0')).body.error).toBe(
      'NOT_FOUND',
    );
  });
});

describe('a method that HTTP does not define', () => {
  it.each(['BREW', 'get'])('such as %s is 501', async (method) => {
    expectWhole(await request(`${method} /v1/whoami HTTP/1.1`), 501, 'NOT_IMPLEMENTED');
  });

  it.each(['PROPFIND', 'PURGE'])('such as %s, which Node knows, is 501', async (method) => {
    for (const path of ['/v1/whoami', '/v1/nowhere', '/nowhere']) {
      const answer = await request(`${method} ${path} HTTP/1.1`);
      expect([answer.status, answer.body.error]).toEqual([501, 'NOT_IMPLEMENTED']);
    }
  });

  it.each(['TRACE', 'QUERY'])('does not include %s, which is 405', async (method) => {
    expect((await request(`${method} /v1/whoami HTTP/1.1`)).status).toBe(405);
  });

  it('is charged like every other refusal', async () => {
    const [first, second] = [await request('PROPFIND / HTTP/1.1'), await request('PROPFIND / HTTP/1.1')];
    expect(Number(second.headers['x-ratelimit-remaining'])).toBeLessThan(
      Number(first.headers['x-ratelimit-remaining']),
    );
  });
});

describe('two Authorization headers', () => {
  it('are refused with 401, because Node would use the first', async () => {
    const lines = [
      'GET /v1/whoami HTTP/1.1',
      'Host: waymark.test',
      'Connection: close',
      `Authorization: Bearer ${mine.key}`,
      `Authorization: Bearer ${mintApiKey()}`,
    ];
    expectWhole(await send(`${lines.join('\r\n')}\r\n\r\n`), 401, 'UNAUTHORIZED');
  });
});

describe('a request that Node refuses itself', () => {
  it.each([
    ['not HTTP', 'hello\r\n\r\n'],
    ['a malformed header', 'GET /v1/whoami HTTP/1.1\r\nHost: x\r\nno colon here\r\n\r\n'],
    [
      'a TLS greeting',
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 0x0d, 0x0a]),
    ],
  ])('%s is 400 with body and headers', async (_, bytes) => {
    expectWhole(await send(bytes), 400, 'VALIDATION_ERROR');
  });

  it.each([20_000, 40_000])('headers of %s bytes are 431', async (bytes) => {
    const answer = await request('GET /v1/whoami HTTP/1.1', `X-Large: ${'x'.repeat(bytes)}`);
    expectWhole(answer, 431, 'REQUEST_HEADER_FIELDS_TOO_LARGE');
  });

  it('a URL over 16 KiB in two packets is 414', async () => {
    const socket = net.connect(Number(new URL(stand.url).port), '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (part) => (text += part));
    const half = 'x'.repeat(9_000);
    socket.write(`GET /v1/whoami HTTP/1.1\r\nHost: waymark.test\r\n\r\nGET /v1/${half}`);
    // The first half has arrived with the request before it.
    await once(socket, 'data');
    socket.write(`${half} HTTP/1.1\r\nHost: waymark.test\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
    expect([...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401', '414']);
  });

  it.each([20_000, 40_000])('a URL of %s bytes is 414', async (bytes) => {
    const answer = await request(`GET /v1/decisions?text=${'x'.repeat(bytes)} HTTP/1.1`);
    expectWhole(answer, 414, 'URI_TOO_LONG');
  });
});

describe('CONNECT', () => {
  it('is refused with 405, a body and the common headers, because the gateway is not a forward proxy', async () => {
    const answer = await request('CONNECT 127.0.0.1:22 HTTP/1.1');
    expectWhole(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers['allow']).toContain('GET');
  });
});

describe('an Upgrade', () => {
  it.each(['websocket', 'h2c'])(
    'to %s is ignored: the request is answered over HTTP/1.1',
    async (protocol) => {
      const upgrade = [
        `Upgrade: ${protocol}`,
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      ];
      const answer = await send(
        `${['GET /v1/whoami HTTP/1.1', 'Host: x', 'Connection: Upgrade, close', `X-Api-Key: ${mine.key}`, ...upgrade].join('\r\n')}\r\n\r\n`,
      );
      expect([answer.status, answer.body.authType]).toEqual([200, 'apiKey']);
    },
  );
});

describe('HTTP/1.0', () => {
  it('is answered, and the connection is closed afterwards', async () => {
    const answer = await send(`GET /v1/whoami HTTP/1.0\r\nHost: x\r\nX-Api-Key: ${mine.key}\r\n\r\n`);
    expect([answer.status, answer.body.authType]).toEqual([200, 'apiKey']);
  });
});
