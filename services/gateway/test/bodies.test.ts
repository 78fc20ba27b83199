import http from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { type Answer, eventually } from '@waymark/testing';
import type { DoubledKey } from './accounts-double.ts';
import { type Stand, startStand } from './stand.ts';
import { answerEmpty } from './upstream.ts';

let stand: Stand;
let mine: DoubledKey;
beforeAll(async () => {
  stand = await startStand({ env: { LIMIT_SCALE: '100' } });
  mine = stand.accounts.createKey();
});
afterAll(() => stand.stop());
beforeEach(() => {
  stand.decisions.seen = [];
  stand.decisions.aborted = 0;
  stand.decisions.respond = answerEmpty;
});

interface Upload {
  answer: Promise<Pick<Answer, 'status' | 'body' | 'headers'>>;
  request: http.ClientRequest;
}

/** Starts a POST, of a decision by default; the caller sends the body. */
function upload(
  headers: Record<string, string>,
  path = `/decisions?workspaceId=${mine.principal.workspace_id}`,
): Upload {
  const request = http.request(`${stand.url}/v1${path}`, {
    method: 'POST',
    agent: false,
    headers: { 'x-api-key': mine.key, 'content-type': 'application/json', ...headers },
  });
  const answer = new Promise<Pick<Answer, 'status' | 'body' | 'headers'>>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers as Record<string, string>,
        body: text === '' ? undefined : JSON.parse(text),
      });
    });
  });
  return { answer, request };
}

const MEBIBYTE = 'x'.repeat(limits.bodyBytes);

describe('a body', () => {
  it('is accepted up to the limit, with and without an announced length', async () => {
    const announced = upload({ 'content-length': String(MEBIBYTE.length) });
    announced.request.end(MEBIBYTE);
    expect((await announced.answer).status).toBe(200);
    const chunked = upload({ 'transfer-encoding': 'chunked' });
    chunked.request.end(MEBIBYTE);
    expect((await chunked.answer).status).toBe(200);
    expect(stand.decisions.seen.map((seen) => seen.body.length)).toEqual([MEBIBYTE.length, MEBIBYTE.length]);
  });

  it('whose announced length exceeds the limit is refused before it is sent', async () => {
    const { answer, request } = upload({ 'content-length': String(limits.bodyBytes + 1) });
    request.flushHeaders();
    const { status, body, headers } = await answer;
    expect([status, body.error, headers['connection']]).toEqual([413, 'PAYLOAD_TOO_LARGE', 'close']);
    request.destroy();
    expect(stand.decisions.seen).toEqual([]);
  });

  it('that is sent although its announced length exceeds the limit still gets the error answer', async () => {
    const { answer, request } = upload({ 'content-length': String(4 * limits.bodyBytes) });
    request.end(MEBIBYTE.repeat(4));
    expect((await answer).body.error).toBe('PAYLOAD_TOO_LARGE');
  });

  it('that grows past the limit is refused, and its request to the service is aborted', async () => {
    stand.decisions.respond = () => undefined;
    const { answer, request } = upload({ 'transfer-encoding': 'chunked' });
    request.write(MEBIBYTE);
    request.write('and more');
    const { status, body } = await answer;
    expect([status, body.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    request.destroy();
    await eventually(() => stand.decisions.aborted === 1);
    expect(stand.decisions.seen).toEqual([]);
  });

  it('that is large is streamed to the service while it arrives', async () => {
    let firstChunk = () => {};
    const arrival = new Promise<void>((resolve) => {
      firstChunk = resolve;
    });
    stand.decisions.respond = (request, response) => {
      request.once('data', firstChunk);
      answerEmpty(request, response);
    };
    const { answer, request } = upload({ 'transfer-encoding': 'chunked' });
    const beginning = `{"title":"${'x'.repeat(100_000)}`;
    request.write(beginning);
    await arrival;
    request.end('"}');
    expect((await answer).status).toBe(200);
    expect(stand.decisions.seen[0]!.body).toBe(`${beginning}"}`);
  });

  it('behind "Expect: 100-continue" is requested only if the request passes all checks', async () => {
    const may = upload({ 'transfer-encoding': 'chunked', expect: '100-continue' });
    may.request.on('continue', () => may.request.end('{}'));
    may.request.flushHeaders();
    expect((await may.answer).status).toBe(200);
    const mayNot = upload({
      'transfer-encoding': 'chunked',
      expect: '100-continue',
      'x-api-key': 'nonsense',
    });
    let wasAsked = false;
    mayNot.request.on('continue', () => {
      wasAsked = true;
    });
    mayNot.request.flushHeaders();
    expect((await mayNot.answer).status).toBe(401);
    mayNot.request.destroy();
    expect(wasAsked).toBe(false);
  });

  it('with an unknown expectation is accepted like any other', async () => {
    const { answer, request } = upload({ 'content-length': '2', expect: 'miracles' });
    request.end('{}');
    expect((await answer).status).toBe(200);
  });
});

describe('a body that needs no credentials', () => {
  const over = limits.unauthenticatedBodyBytes + 1;

  it.each(['/auth/sign-in', '/auth/sign-up', '/auth/invitation'])('has at most 16 KiB: %s', async (path) => {
    const announced = upload({ 'content-length': String(over) }, path);
    announced.request.flushHeaders();
    expect((await announced.answer).body.error).toBe('PAYLOAD_TOO_LARGE');
    announced.request.destroy();
    const chunked = upload({ 'transfer-encoding': 'chunked' }, path);
    chunked.request.end('x'.repeat(over));
    expect((await chunked.answer).body).toMatchObject({
      error: 'PAYLOAD_TOO_LARGE',
      message: 'The body is larger than 16384 bytes.',
    });
  });
});

describe('a slow body', () => {
  /** Starts a POST whose body begins when the gateway asks for it, and never ends. */
  async function drip(): Promise<http.ClientRequest> {
    const { answer, request } = upload({ 'transfer-encoding': 'chunked', expect: '100-continue' });
    const asked = new Promise((resolve) => request.on('continue', resolve));
    request.flushHeaders();
    await Promise.race([asked, answer.catch(() => undefined)]);
    request.write('x');
    return request;
  }

  it('does not count against the concurrency limit, however many clients send one', async () => {
    const dripping: http.ClientRequest[] = [];
    // In waves, because a listener queues at most 511 connections and others would wait for seconds.
    for (let wave = 0; wave < 2; wave += 1)
      dripping.push(...(await Promise.all(Array.from({ length: 300 }, drip))));
    try {
      const query = { workspaceId: mine.principal.workspace_id };
      expect((await stand.call('GET', '/decisions', { key: mine.key, query })).status).toBe(200);
      expect(stand.decisions.seen).toHaveLength(1);
    } finally {
      for (const request of dripping) request.destroy();
    }
  });

  it.each([
    ['a small one', 1],
    ['one that has begun to stream', 100_000],
  ])('is 408 after the timeout: %s', async (_, bytes) => {
    const own = await startStand({ env: { BODY_TIMEOUT_MS: '300' } });
    try {
      const { key, principal } = own.accounts.createKey();
      const answer = own.call('POST', '/decisions', {
        key,
        query: { workspaceId: principal.workspace_id },
        rawBody: 'x'.repeat(bytes),
        headers: { 'content-length': '200000' },
      });
      expect(await answer).toMatchObject({ status: 408, body: { error: 'REQUEST_TIMEOUT' } });
    } finally {
      await own.stop();
    }
  });
});

describe('a client that does not read', () => {
  it('loses its connection after the timeout, also when the whole answer waits for it', async () => {
    const own = await startStand({ env: { BODY_TIMEOUT_MS: '100' } });
    const { key } = own.accounts.createKey();
    const open = (path: string, requests: number) => {
      const socket = net.connect(Number(new URL(own.url).port), '127.0.0.1').pause();
      socket.write(`GET /v1${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`.repeat(requests));
      return socket;
    };
    try {
      const whole = open('/openapi.json', 50);
      own.decisions.respond = (_, response) => response.end('x'.repeat(32 * limits.bodyBytes));
      const streamed = open('/decisions', 1);
      await eventually(() => own.decisions.aborted === 1);
      let ends = 0;
      for (const socket of [whole, streamed])
        socket.on('error', () => undefined).on('close', () => (ends += 1));
      await eventually(() => {
        // A socket that does not read notices the end only when it writes.
        for (const socket of [whole, streamed]) socket.write('\r\n');
        return ends === 2;
      });
    } finally {
      await own.stop();
    }
  });
});
