import type http from 'node:http';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, httpCall, testIdentity } from '@waymark/testing';
import type { DoubledKey } from './accounts-double.ts';
import { begin } from './raw-client.ts';
import { useStand } from './stand.ts';
import { answerEmpty } from './upstream.ts';

const stand = useStand({ env: { LIMIT_SCALE: '100' } });
let mine: DoubledKey;
let query: { workspaceId: string };
beforeAll(() => {
  mine = stand.accounts.createKey();
  query = { workspaceId: mine.principal.workspace_id };
});
beforeEach(() => {
  stand.decisions.seen = [];
  stand.decisions.aborted = 0;
  stand.decisions.respond = answerEmpty;
});

/** Sends a request on its own connection, for tests that read the answer while it arrives. */
function beginGet(path = '/decisions') {
  const url = `${stand.url}/v1${path}?workspaceId=${query.workspaceId}`;
  const begun = begin(url, 'GET', { 'x-api-key': mine.key });
  begun.request.end();
  return begun;
}

/** Returns how many answers services have broken off. A counter is absent before its first count. */
const brokenOff = async () => (await stand.metric('waymark_upstream_errors_total', 'kind="aborted"')) || 0;

describe('the request that a service gets', () => {
  it('has a URL rebuilt from the matched parameters and the parsed query', async () => {
    const id = crypto.randomUUID().toUpperCase();
    await stand.call(
      'GET',
      `/decisions/${id}?tag=a%26b+c%3D%C3%BC&workspaceId=${query.workspaceId}&empty=`,
      mine,
    );
    expect(stand.decisions.seen[0]!.url).toBe(
      `/v1/decisions/${id}?tag=a%26b%20c%3D%C3%BC&workspaceId=${query.workspaceId}&empty=`,
    );
  });

  it('has none of the client’s credentials or internal headers, in any spelling', async () => {
    await stand.call('POST', '/decisions', {
      key: mine.key,
      query,
      body: { title: 'x' },
      headers: {
        'X-Api-Key': mine.key,
        Cookie: 'waymark_session=mine',
        'X-Waymark-Identity': 'forged',
        X_Waymark_Identity: 'forged',
        'x-waymark_client-address': '1.2.3.4',
        'X-Forwarded-For': '1.2.3.4',
        'X-Waymark-Draining': 'true',
        Forwarded: 'for=1.2.3.4',
        'X-Real-Ip': '1.2.3.4',
        'Proxy-Authorization': 'Basic x',
        Te: 'trailers',
        Upgrade: 'h2c',
        'X-Request-Id': 'mine-0000001',
        'User-Agent': 'test agent',
        'Idempotency-Key': 'idem-1',
        'If-Match': '"v1"',
        Connection: 'If-Match, keep-alive, X-Waymark-Identity',
      },
    });
    const { headers, body } = stand.decisions.seen[0]!;
    const identity = await testIdentity().verify(String(headers['x-waymark-identity']), 'decisions');
    expect(identity).toEqual(mine.principal);
    expect(body).toBe('{"title":"x"}');
    expect(headers).toEqual({
      connection: 'keep-alive',
      'content-length': '13',
      'content-type': 'application/json',
      host: new URL(stand.decisions.url).host,
      'idempotency-key': 'idem-1',
      'x-waymark-client-address': '127.0.0.1',
      'x-waymark-identity': expect.any(String),
      'x-waymark-request-id': 'mine-0000001',
      'x-waymark-timeout-ms': '10000',
      'x-waymark-user-agent': 'test agent',
    });
  });

  it('names the version of a record without the coding of a body', async () => {
    const headers = { 'If-Match': '"v3-gzip", "v4"' };
    await stand.call('PATCH', `/decisions/${crypto.randomUUID()}`, {
      key: mine.key,
      query,
      headers,
      body: {},
    });
    expect(stand.decisions.seen[0]!.headers['if-match']).toBe('"v3", "v4"');
  });

  // Tokens of the same principal are the same for half a minute, which may end between two requests.
  it('has the same principal in the tokens of many requests', async () => {
    for (let i = 0; i < 3; i += 1) await stand.call('GET', '/decisions', { key: mine.key, query });
    const principals = stand.decisions.seen.map(({ headers }) => {
      const [, claims = ''] = String(headers['x-waymark-identity']).split('.');
      return JSON.stringify(JSON.parse(Buffer.from(claims, 'base64url').toString()).principal);
    });
    expect(new Set(principals).size).toBe(1);
  });

  it('leaves no listener on the server when it is an import', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    for (let i = 0; i < 12; i += 1)
      await stand.call('POST', '/imports', { key: mine.key, query, body: { version: 1 } });
    process.off('warning', warn);
    expect(stand.decisions.seen).toHaveLength(12);
    expect(warnings.map(({ name }) => name)).not.toContain('MaxListenersExceededWarning');
  });

  it('has no body if the operation takes none', async () => {
    const path = `/decisions/${crypto.randomUUID()}`;
    await stand.call('DELETE', path, { key: mine.key, query, body: { smuggled: true } });
    const headers = { 'x-api-key': mine.key, 'transfer-encoding': 'chunked' };
    const url = `${stand.url}/v1${path}?workspaceId=${query.workspaceId}`;
    const { request, answer } = begin(url, 'DELETE', headers);
    request.end('GET /v1');
    expect((await answer()).status).toBe(200);
    await stand.call('GET', '/decisions', { key: mine.key, query, rawBody: 'GET /v1' });
    expect(
      stand.decisions.seen.map(({ method, body, headers }) => [method, body, headers['content-length']]),
    ).toEqual([
      ['DELETE', '', undefined],
      ['DELETE', '', undefined],
      ['GET', '', undefined],
    ]);
  });

  it('reuses connections', async () => {
    const ports = new Set<number | undefined>();
    stand.decisions.respond = (request, response) => {
      ports.add(request.socket.remotePort);
      answerEmpty(request, response);
    };
    for (let i = 0; i < 5; i += 1) await stand.call('GET', '/decisions', { key: mine.key, query });
    expect(ports.size).toBe(1);
  });

  it('is anonymous for sign-in, whatever cookie or key the client sends', async () => {
    let token = '';
    stand.accounts.respond = (request, response) => {
      token = String(request.headers['x-waymark-identity']);
      response.setHeader('set-cookie', ['waymark_session=new; HttpOnly', 'other=1']);
      response.end();
    };
    const { cookie } = stand.accounts.createSession();
    const answer = await stand.call('POST', '/auth/sign-in', {
      cookie,
      key: 'nonsense',
      body: { email: 'a@b.c' },
    });
    expect(answer.status).toBe(200);
    expect(await stand.accounts.runtime.identity.verify(token)).toEqual({ type: 'anonymous' });
    expect(answer.cookies).toEqual(['waymark_session=new; HttpOnly', 'other=1']);
  });

  it('passes on the cookies of sign-in to the operations that take them, and no other cookie', async () => {
    const seen: Record<string, unknown>[] = [];
    stand.accounts.respond = ({ headers }, response) => {
      seen.push(headers);
      response.end();
    };
    const cookie = 'waymark_device=a.b.c; waymark_sign_in=d; waymark_session=s; other=e';
    const headers = { 'x-waymark-device': 'forged' };
    await stand.call('POST', '/auth/sign-in', { cookie, headers, body: { email: 'a@b.c' } });
    await stand.call('POST', '/auth/password/forgot', { cookie, headers, body: { email: 'a@b.c' } });
    const names = ['x-waymark-device', 'x-waymark-sign-in-flow', 'x-waymark-session', 'cookie'];
    expect(seen.map((of) => names.map((name) => of[name]))).toEqual([
      ['a.b.c', 'd', 's', undefined],
      [undefined, undefined, undefined, undefined],
    ]);
  });
});

describe('the answer that a client gets', () => {
  it('has the gateway’s own headers instead of the service’s', async () => {
    stand.decisions.respond = (_, response) => {
      response.writeHead(201, 'Fine', {
        'content-type': 'text/csv',
        etag: '"v7"',
        link: '</v1/decisions?cursor=x>; rel="next"',
        'x-request-id': 'theirs',
        'x-api-version': 'v9',
        'x-ratelimit-limit': '1',
        'x-ratelimit-anything': '1',
        ratelimit: 'x',
        server: 'secret/1.0',
        'x-powered-by': 'Express',
        'x-waymark-identity': 'leak',
        'cache-control': 'public, max-age=9999',
        'access-control-allow-origin': '*',
        connection: 'close',
      });
      response.end('a,b');
    };
    const answer = await stand.call('GET', '/decisions', {
      key: mine.key,
      query,
      headers: { 'X-Request-Id': 'mine-0000002' },
    });
    expect([answer.status, answer.text]).toEqual([201, 'a,b']);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv',
      etag: '"v7"',
      link: '</v1/decisions?cursor=x>; rel="next"',
      'x-request-id': 'mine-0000002',
      'x-api-version': 'v1',
      'x-ratelimit-limit': '10000',
      'cache-control': 'no-store',
      connection: 'keep-alive',
      'x-content-type-options': 'nosniff',
    });
    for (const name of [
      'server',
      'x-powered-by',
      'x-ratelimit-anything',
      'x-waymark-identity',
      'access-control-allow-origin',
    ]) {
      expect(answer.headers).not.toHaveProperty(name);
    }
  });

  it('is streamed while it arrives', async () => {
    let sendRest = () => {};
    stand.decisions.respond = (_, response) => {
      response.setHeader('content-type', 'application/x-ndjson');
      response.write('{"line":1}\n');
      sendRest = () => response.end('{"line":2}\n');
    };
    const chunks: string[] = [];
    for await (const chunk of await beginGet('/decisions/export-csv').response) {
      chunks.push(String(chunk));
      sendRest();
    }
    expect(chunks).toEqual(['{"line":1}\n', '{"line":2}\n']);
  });

  it.each([
    ['small', 'with', 256, 1],
    ['small', 'without', 256, 1],
    ['small in pieces', 'with', 256, 3],
    ['large', 'with', 100_000, 1],
    ['large in pieces', 'without', 100_000, 3],
  ])('is byte by byte the service’s: %s, %s an announced length', async (_, announced, size, pieces) => {
    const body = Buffer.from(Uint8Array.from({ length: size }, (__, i) => i % 256));
    const step = Math.ceil(size / pieces);
    let sendNext = () => {};
    stand.decisions.respond = (__, response) => {
      if (announced === 'with') response.setHeader('content-length', size);
      let sent = 0;
      sendNext = () => {
        if (sent >= size) return;
        response.write(body.subarray(sent, sent + step));
        sent += step;
        if (sent >= size) response.end();
      };
      sendNext();
    };
    const chunks: Buffer[] = [];
    for await (const chunk of await beginGet().response) {
      chunks.push(chunk);
      // Sends the next piece once all earlier pieces have arrived.
      if (Buffer.concat(chunks).length % step === 0) sendNext();
    }
    expect(Buffer.concat(chunks).equals(body)).toBe(true);
  });

  it.each([{}, { 'content-length': '8' }])(
    'is cut off if the service breaks off, so that no client takes it for a complete one: %j',
    async (announced) => {
      stand.decisions.respond = (_, response) => {
        response.writeHead(200, announced);
        response.write('half');
        response.socket!.once('drain', () => undefined);
        setImmediate(() => response.destroy());
      };
      const before = await brokenOff();
      await expect(stand.call('GET', '/decisions', { key: mine.key, query })).rejects.toThrow();
      await eventually(async () => expect(await brokenOff()).toBe(before + 1));
    },
  );

  it('may be a 304 without a body', async () => {
    stand.decisions.respond = (_, response) => {
      response.writeHead(304, { etag: '"v1"' });
      response.end();
    };
    const answer = await stand.call('GET', '/decisions', { key: mine.key, query });
    expect([answer.status, answer.text, answer.headers['etag']]).toEqual([304, '', '"v1"']);
  });
});

describe('a client that disconnects', () => {
  it.each(['before', 'while'])(
    'aborts its request to the service, %s the answer is streamed',
    async (when) => {
      const counted = await brokenOff();
      const arrived = new Promise<http.ServerResponse>((resolve) => {
        stand.decisions.respond = (_, response) => resolve(response);
      });
      const { request, response } = beginGet();
      const answering = await arrived;
      if (when === 'while') {
        answering.write(' ');
        (await response).on('error', () => undefined);
      }
      request.destroy();
      await eventually(() => stand.decisions.aborted === 1);
      expect(await brokenOff()).toBe(counted);
    },
  );
});

describe('the gateway’s own operations', () => {
  it('serve openapi.json and the changelog to everyone, with an ETag', async () => {
    for (const path of ['/openapi.json', '/changelog']) {
      const answer = await stand.call('GET', path);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toContain('application/json');
      const etag = answer.headers['etag']!;
      // The compressed document has the same tag, which a strong one could not be.
      expect(etag).toMatch(/^W\/"/);
      for (const known of [etag, etag.replace('W/', '')]) {
        const again = await stand.call('GET', path, { headers: { 'if-none-match': known } });
        expect([again.status, again.text]).toEqual([304, '']);
      }
    }
    const { body } = await httpCall(stand.url, 'GET', '/v1/openapi.json');
    expect([body.openapi, body.info.version]).toEqual(['3.1.1', '1.4.1.1']);
    expect(body.servers[0].url).toBe('http://waymark.test/v1');
  });
});
