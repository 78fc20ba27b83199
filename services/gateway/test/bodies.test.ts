import type http from 'node:http';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import type { DoubledKey } from './accounts-double.ts';
import { begin } from './raw-client.ts';
import { startStand, useStand } from './stand.ts';
import { answerEmpty } from './upstream.ts';

const stand = useStand({ env: { LIMIT_SCALE: '100' } });
let mine: DoubledKey;
beforeAll(() => {
  mine = stand.accounts.createKey();
});
beforeEach(() => {
  stand.decisions.seen = [];
  stand.decisions.aborted = 0;
  stand.decisions.respond = answerEmpty;
});

/** Begins a POST, of a decision by default. */
const upload = (headers: object, path = `/decisions?workspaceId=${mine.principal.workspace_id}`) =>
  begin(`${stand.url}/v1${path}`, 'POST', {
    'x-api-key': mine.key,
    'content-type': 'application/json',
    ...headers,
  });
const CHUNKED = { 'transfer-encoding': 'chunked' };

const MEBIBYTE = 'x'.repeat(limits.bodyBytes);

describe('a body', () => {
  it('is accepted up to the limit, with and without an announced length', async () => {
    const announced = upload({ 'content-length': String(MEBIBYTE.length) });
    announced.request.end(MEBIBYTE);
    expect((await announced.answer()).status).toBe(200);
    const chunked = upload(CHUNKED);
    chunked.request.end(MEBIBYTE);
    expect((await chunked.answer()).status).toBe(200);
    expect(stand.decisions.seen.map((seen) => seen.body.length)).toEqual([MEBIBYTE.length, MEBIBYTE.length]);
  });

  it('whose announced length exceeds the limit is refused before it is sent', async () => {
    const { answer, request } = upload({ 'content-length': String(limits.bodyBytes + 1) });
    request.flushHeaders();
    const { status, body, headers } = await answer();
    expect([status, body.error, headers['connection']]).toEqual([413, 'PAYLOAD_TOO_LARGE', 'close']);
    request.destroy();
    expect(stand.decisions.seen).toEqual([]);
  });

  it('that is sent although its announced length exceeds the limit still gets the error answer', async () => {
    const { answer, request } = upload({ 'content-length': String(4 * limits.bodyBytes) });
    request.end(MEBIBYTE.repeat(4));
    expect((await answer()).body.error).toBe('PAYLOAD_TOO_LARGE');
  });

  it('that grows past the limit is refused, and its request to the service is aborted', async () => {
    stand.decisions.respond = () => undefined;
    const { answer, request } = upload(CHUNKED);
    request.write(MEBIBYTE);
    request.write('and more');
    const { status, body } = await answer();
    expect([status, body.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    request.destroy();
    await eventually(() => stand.decisions.aborted === 1);
    expect(stand.decisions.seen).toEqual([]);
  });

  it('that is large is streamed to the service while it arrives', async () => {
    const arrival = new Promise((resolve) => {
      stand.decisions.respond = (request, response) => {
        request.once('data', resolve);
        answerEmpty(request, response);
      };
    });
    const { answer, request } = upload(CHUNKED);
    const beginning = `{"title":"${'x'.repeat(100_000)}`;
    request.write(beginning);
    await arrival;
    request.end('"}');
    expect((await answer()).status).toBe(200);
    expect(stand.decisions.seen[0]!.body).toBe(`${beginning}"}`);
  });

  it('behind "Expect: 100-continue" is requested only if the request passes all checks', async () => {
    const may = upload({ ...CHUNKED, expect: '100-continue' });
    may.request.flushHeaders();
    await may.asked;
    may.request.end('{}');
    expect((await may.answer()).status).toBe(200);
    const mayNot = upload({ ...CHUNKED, expect: '100-continue', 'x-api-key': 'nonsense' });
    mayNot.request.flushHeaders();
    expect(await Promise.race([mayNot.asked, mayNot.answer()])).toMatchObject({ status: 401 });
    mayNot.request.destroy();
  });

  it('with an unknown expectation is accepted like any other', async () => {
    const { answer, request } = upload({ 'content-length': '2', expect: 'miracles' });
    request.end('{}');
    expect((await answer()).status).toBe(200);
  });
});

describe('a body that needs no credentials', () => {
  it('has at most 16 KiB, also without an announced length', async () => {
    const over = limits.unauthenticatedBodyBytes + 1;
    const announced = upload({ 'content-length': String(over) }, '/auth/sign-in');
    announced.request.flushHeaders();
    expect((await announced.answer()).body.error).toBe('PAYLOAD_TOO_LARGE');
    announced.request.destroy();
    const chunked = upload(CHUNKED, '/auth/invitation');
    chunked.request.end('x'.repeat(over));
    expect((await chunked.answer()).body).toMatchObject({
      error: 'PAYLOAD_TOO_LARGE',
      message: 'The body is larger than 16384 bytes.',
    });
  });
});

describe('a slow body', () => {
  /** Starts a POST whose body begins when the gateway asks for it, and never ends. */
  async function drip(): Promise<http.ClientRequest> {
    const { request, asked, answer } = upload({ ...CHUNKED, expect: '100-continue' });
    request.flushHeaders();
    await Promise.race([asked, answer()]);
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

  it('is 408 after the timeout, also one that has begun to stream', async () => {
    await using own = await startStand({ env: { BODY_TIMEOUT_MS: '300' } });
    const { key, principal } = own.accounts.createKey();
    const send = (bytes: number) =>
      own.call('POST', '/decisions', {
        key,
        query: { workspaceId: principal.workspace_id },
        rawBody: 'x'.repeat(bytes),
        headers: { 'content-length': '200000' },
      });
    for (const answer of await Promise.all([send(1), send(100_000)]))
      expect(answer).toMatchObject({ status: 408, body: { error: 'REQUEST_TIMEOUT' } });
  });
});
