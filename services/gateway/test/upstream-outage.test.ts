import type http from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Answer, eventually, patience } from '@waymark/testing';
import type { DoubledKey } from './accounts-double.ts';
import { begin } from './raw-client.ts';
import { type Stand, startStand } from './stand.ts';
import { answerEmpty } from './upstream.ts';

/** The most requests in flight to one service. */
const IN_FLIGHT_MAX = 512;
/** No request times out during a test. */
const WITHOUT_END = { UPSTREAM_RESPONSE_TIMEOUT_MS: '600000' };

/** Stands still unless a test moves it. */
let nowMs = Date.now();
let stand: Stand;
let mine: DoubledKey;
afterEach(() => stand.stop());

async function start(env: Record<string, string> = {}, replicas = 1): Promise<void> {
  const seams = { now: () => nowMs };
  stand = await startStand({ replicas, seams, env: { LIMIT_SCALE: '1000', ...env } });
  mine = stand.accounts.createKey();
}

const listAs = ({ key, principal }: DoubledKey, address?: string) =>
  stand.call('GET', '/decisions', {
    key,
    query: { workspaceId: principal.workspace_id },
    ...(address && { headers: { 'x-forwarded-for': address } }),
  });
const list = () => listAs(mine);
const create = (body: object = { title: 'x' }) =>
  stand.call('POST', '/decisions', {
    key: mine.key,
    query: { workspaceId: mine.principal.workspace_id },
    body,
  });
const urlOfList = () => `${stand.url}/v1/decisions?workspaceId=${mine.principal.workspace_id}`;
function beginList() {
  const begun = begin(urlOfList(), 'GET', { 'x-api-key': mine.key });
  begun.request.end();
  return begun;
}
const isOpen = () => stand.metric('waymark_circuit_open', 'upstream="decisions"');
const timeouts = () => stand.metric('waymark_upstream_errors_total', 'kind="timeout"');

function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
}

/** Starts a stand whose service has refused connections so often that its circuit is open. */
async function startWithOpenCircuit(env: Record<string, string> = WITHOUT_END): Promise<void> {
  await start(env);
  await stand.decisions.kill();
  for (let i = 0; i < 5; i += 1) expectUnavailable(await list());
}

describe('a dead service', () => {
  it('is answered with 503 at once, opens its circuit, and is used again when it is back', async () => {
    await startWithOpenCircuit();
    expect(await isOpen()).toBe(1);
    expect(await stand.metric('waymark_upstream_errors_total', 'kind="connect"')).toBeGreaterThan(0);
    // Other services are not affected.
    expect((await stand.call('GET', '/whoami', { key: mine.key })).status).toBe(200);
    await stand.decisions.revive();
    nowMs += 1_999;
    expectUnavailable(await list());
    nowMs += 1;
    expect((await list()).status).toBe(200);
    expect(await isOpen()).toBe(0);
    expect(stand.decisions.seen).toHaveLength(1);
  });

  it('is tried again two seconds after a trial that failed', async () => {
    await startWithOpenCircuit();
    nowMs += 2_000;
    expectUnavailable(await list());
    await stand.decisions.revive();
    nowMs += 1_999;
    expectUnavailable(await list());
    nowMs += 1;
    expect((await list()).status).toBe(200);
  });

  it('is an outage in the metrics as long as requests are refused, and half a minute longer', async () => {
    await startWithOpenCircuit();
    for (let i = 0; i < 3; i += 1) {
      nowMs += 29_999;
      expect(await isOpen()).toBe(1);
      expectUnavailable(await list());
    }
    nowMs += 30_000;
    expect(await isOpen()).toBe(0);
    expectUnavailable(await list());
    expect(await isOpen()).toBe(1);
  });
});

describe('a hung service', () => {
  it('holds at most its concurrency limit of requests, and never delays other services', async () => {
    await start({ ...WITHOUT_END, TRUSTED_PROXIES: '127.0.0.1' });
    stand.decisions.respond = () => undefined;
    const hung: Promise<Answer>[] = [];
    let ended = 0;
    // Each of a network of its own, since one network leaves half. In waves, because a listener queues at
    // most 511 connections and others would wait for seconds.
    while (hung.length < IN_FLIGHT_MAX) {
      const wave = Array.from({ length: IN_FLIGHT_MAX / 4 }, (_, n) => `2001:db8:${hung.length + n}::1`);
      for (const address of wave) hung.push(listAs(stand.accounts.createKey(), address));
      await eventually(() => stand.decisions.seen.length === hung.length);
    }
    const end = () => (ended += 1);
    for (const answer of hung) void answer.then(end, end);
    for (const answer of await Promise.all(Array.from({ length: 88 }, () => list())))
      expectUnavailable(answer);
    const labels = ['resource="requests_to_decisions"', 'reason="full"'];
    expect(await stand.metric('waymark_admission_refused_total', ...labels)).toBe(88);
    for (let i = 0; i < 20; i += 1) {
      expect((await stand.call('GET', '/whoami', { key: mine.key })).status).toBe(200);
      expect((await stand.call('POST', '/auth/sign-in', { body: {} })).status).toBe(200);
    }
    // The requests to the service still hang, so the calls above did not wait for them.
    expect(ended).toBe(0);
    await stand.decisions.kill();
    for (const answer of await Promise.all(hung)) expectUnavailable(answer);
  });

  it('is answered with 503 after the timeout, and gets no more requests after a few failures', async () => {
    await start({ UPSTREAM_RESPONSE_TIMEOUT_MS: '300' });
    stand.decisions.respond = () => undefined;
    for (const answer of await Promise.all(Array.from({ length: 5 }, () => list())))
      expectUnavailable(answer);
    expect([await timeouts(), await isOpen()]).toEqual([5, 1]);
    for (let i = 0; i < 3; i += 1) expectUnavailable(await create());
  });

  it('that hangs for one caller only is 503 for that caller, however often, and available for others', async () => {
    await start({ UPSTREAM_RESPONSE_TIMEOUT_MS: String(patience(2_000)) });
    const other = stand.accounts.createKey();
    stand.decisions.respond = (request, response) => {
      if (request.url?.includes(other.principal.workspace_id)) answerEmpty(request, response);
    };
    const waiting = Array.from({ length: 10 }, list);
    await eventually(() => stand.decisions.seen.length === waiting.length);
    nowMs += 1;
    expect((await listAs(other)).status).toBe(200);
    for (const answer of await Promise.all(waiting)) expectUnavailable(answer);
    expect([await timeouts(), await isOpen()]).toEqual([10, 0]);
    expect((await listAs(other)).status).toBe(200);
  });

  it('that was dead before is 503 within seconds for the one trial request', async () => {
    await startWithOpenCircuit();
    await stand.decisions.revive();
    stand.decisions.respond = () => undefined;
    nowMs += 2_000;
    const trial = list();
    await eventually(() => stand.decisions.seen.length === 1);
    for (let i = 0; i < 3; i += 1) expectUnavailable(await list());
    expectUnavailable(await trial);
    expect(stand.decisions.seen).toHaveLength(1);
    expect(await timeouts()).toBe(1);
  });
});

describe('a service that is back', () => {
  it.each([1, 100_000])('is not kept unavailable by a slow client that has sent %i bytes', async (bytes) => {
    await startWithOpenCircuit({});
    await stand.decisions.revive();
    nowMs += 2_000;
    const headers = { 'x-api-key': mine.key, expect: '100-continue' };
    const { request, asked } = begin(urlOfList(), 'POST', headers);
    try {
      request.flushHeaders();
      await asked;
      await new Promise((written) => request.write('x'.repeat(bytes), written));
      expect((await list()).status).toBe(200);
    } finally {
      request.destroy();
    }
  });

  it('is tried by the next request when the client ended the trial', async () => {
    await startWithOpenCircuit();
    await stand.decisions.revive();
    nowMs += 2_000;
    const held: http.IncomingMessage[] = [];
    stand.decisions.respond = (request) => held.push(request);
    const { request } = beginList();
    await eventually(() => held.length === 1);
    expectUnavailable(await list());
    request.destroy();
    await eventually(() => stand.decisions.aborted === 1);
    stand.decisions.respond = answerEmpty;
    await eventually(async () => expect((await list()).status).toBe(200));
  });
});

describe('a service that resets the connection', () => {
  it('gets a GET once more, but no request of another method; a few resets in a row open its circuit', async () => {
    await start();
    let calls = 0;
    let resets = 1;
    stand.decisions.respond = (request, response) => {
      calls += 1;
      if (calls <= resets) request.socket.destroy();
      else answerEmpty(request, response);
    };
    expect((await list()).status).toBe(200);
    expect(calls).toBe(2);
    for (const [send, expected] of [
      [create, 1],
      [list, 2],
    ] as const) {
      [calls, resets] = [0, 9];
      expectUnavailable(await send());
      expect(calls).toBe(expected);
    }
    // Two failures so far, which a success makes forgotten.
    [calls, resets] = [0, 0];
    expect((await list()).status).toBe(200);
    resets = 99;
    for (let i = 1; i <= 5; i += 1) {
      expect(await isOpen()).toBe(0);
      expectUnavailable(await create());
    }
    expect(await isOpen()).toBe(1);
  });
});

describe('two replicas', () => {
  const seen = () => stand.replicas.map((replica) => replica.seen.length);

  it('take turns', async () => {
    await start({}, 2);
    for (let i = 0; i < 6; i += 1) await list();
    expect(seen()).toEqual([3, 3]);
  });

  it('of which one refuses connections lose no request, whatever the method and body', async () => {
    await start({}, 2);
    await stand.decisions.kill();
    const body = { title: 'kept whole', description: 'y'.repeat(200_000) };
    for (let i = 0; i < 6; i += 1) expect((await create(body)).status).toBe(200);
    expect(seen()).toEqual([0, 6]);
    for (const request of stand.replicas[1]!.seen) expect(JSON.parse(request.body)).toEqual(body);
  });

  it('of which one drains send new requests to the other for ten seconds', async () => {
    await start({}, 2);
    stand.decisions.respond = (request, response) => {
      response.setHeader('connection', 'close');
      response.setHeader('x-waymark-draining', 'true');
      answerEmpty(request, response);
    };
    const listOften = async () => {
      // The client's own connection stays open.
      for (let i = 0; i < 4; i += 1) expect((await list()).headers['connection']).toBe('keep-alive');
    };
    await listOften();
    expect(seen()).toEqual([1, 3]);
    nowMs += 9_999;
    await listOften();
    expect(seen()).toEqual([1, 7]);
    nowMs += 1;
    await listOften();
    expect(seen()).toEqual([2, 10]);
  });

  it('that both drain are still used', async () => {
    await start({}, 2);
    for (const replica of stand.replicas) {
      replica.respond = (request, response) => {
        response.setHeader('x-waymark-draining', 'true');
        answerEmpty(request, response);
      };
    }
    for (let i = 0; i < 6; i += 1) expect((await list()).status).toBe(200);
  });
});

describe('no circuit opens', () => {
  it('for errors of the service, which reach the client unchanged', async () => {
    await start();
    stand.decisions.respond = (_, response) => {
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '7' });
      response.end('{"error":"DATABASE_NOT_CONFIGURED"}');
    };
    for (let i = 0; i < 7; i += 1) {
      const answer = await list();
      expect([answer.status, answer.body.error]).toEqual([503, 'DATABASE_NOT_CONFIGURED']);
      expect(answer.headers['retry-after']).toBe('7');
    }
  });

  it('for clients that do not wait for their answers', async () => {
    await start();
    stand.decisions.respond = () => undefined;
    for (let i = 1; i <= 6; i += 1) {
      const { request } = beginList();
      await eventually(() => stand.decisions.seen.length === i);
      request.destroy();
      await eventually(() => stand.decisions.aborted === i);
    }
    stand.decisions.respond = answerEmpty;
    expect((await list()).status).toBe(200);
  });
});

describe('a service that refuses the identity of the gateway', () => {
  it('is answered with 503: the credentials of the client are valid', async () => {
    await start();
    stand.decisions.respond = (request, response) => {
      request.resume();
      response.writeHead(401, { 'x-waymark-identity-refused': 'true', 'content-type': 'application/json' });
      response.end('{"error":"UNAUTHORIZED"}');
    };
    const query = { workspaceId: mine.principal.workspace_id };
    const upload = stand.call('POST', '/imports', { key: mine.key, query, body: { version: 1 } });
    for (const answer of [await list(), await create(), await upload]) {
      expectUnavailable(answer);
      expect(answer.headers).not.toHaveProperty('x-waymark-identity-refused');
    }
  });
});
