import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
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

  it('that grows past the limit is refused, and the service gets nothing', async () => {
    const { answer, request } = upload(CHUNKED);
    request.write(MEBIBYTE);
    request.write('and more');
    const { status, body } = await answer();
    expect([status, body.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    request.destroy();
    const query = { workspaceId: mine.principal.workspace_id };
    expect((await stand.call('GET', '/decisions', { key: mine.key, query })).status).toBe(200);
    expect([stand.decisions.seen.length, stand.decisions.aborted]).toEqual([1, 0]);
  });

  it('reaches the service when it is complete', async () => {
    const { answer, request } = upload(CHUNKED);
    const beginning = `{"title":"${'x'.repeat(100_000)}`;
    request.write(beginning);
    const query = { workspaceId: mine.principal.workspace_id };
    expect((await stand.call('GET', '/decisions', { key: mine.key, query })).status).toBe(200);
    expect(stand.decisions.seen).toHaveLength(1);
    request.end('"}');
    expect((await answer()).status).toBe(200);
    expect(stand.decisions.seen[1]!.body).toBe(`${beginning}"}`);
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
  it('is 408 after the timeout, however much has arrived', async () => {
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
