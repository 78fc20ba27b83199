import http from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, eventually } from '@waymark/testing';
import type { DoubledKey } from './accounts-double.ts';
import { type Stand, startStand } from './stand.ts';
import { answerEmpty, startUpstream, type Upstream } from './upstream.ts';

/** The concurrency limit of one service. */
const SHARE = 512;
/** No request times out during a test. */
const WITHOUT_END = { UPSTREAM_RESPONSE_TIMEOUT_MS: '600000' };

let stand: Stand;
let second: Upstream;
let mine: DoubledKey;
beforeEach(async () => {
  second = await startUpstream();
});
afterEach(async () => {
  await stand.stop();
  await second.kill();
});

async function start(env: Record<string, string> = {}): Promise<void> {
  stand = await startStand({ env: { LIMIT_SCALE: '1000', ...env } });
  mine = stand.accounts.createKey();
}

/** Starts with two replicas of decisions: the stand's own and `second`. */
async function startWithTwo(): Promise<void> {
  const first = await startUpstream();
  await start({ DECISIONS_URL: `${first.url},${second.url}` });
  await stand.decisions.kill();
  stand.decisions = first;
}

const listAs = ({ key, principal }: DoubledKey) =>
  stand.call('GET', '/decisions', { key, query: { workspaceId: principal.workspace_id } });
const list = () => listAs(mine);
const create = (body: object = { title: 'x' }) =>
  stand.call('POST', '/decisions', {
    key: mine.key,
    query: { workspaceId: mine.principal.workspace_id },
    body,
  });

function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
}

describe('a dead service', () => {
  it('is answered with 503 at once, opens its circuit, and is used again when it is back', async () => {
    await start(WITHOUT_END);
    await stand.decisions.kill();
    for (let i = 0; i < 8; i += 1) expectUnavailable(await list());
    expect(await stand.metric('waymark_circuit_open', 'upstream="decisions"')).toBe(1);
    expect(await stand.metric('waymark_upstream_errors_total', 'kind="connect"')).toBeGreaterThan(0);
    // Other services are not affected.
    expect((await stand.call('GET', '/whoami', { key: mine.key })).status).toBe(200);
    await stand.decisions.revive();
    await eventually(async () => expect((await list()).status).toBe(200));
    expect(await stand.metric('waymark_circuit_open', 'upstream="decisions"')).toBe(0);
  });
});

describe('a hung service', () => {
  it('holds at most its concurrency limit of requests, and never delays other services', async () => {
    await start(WITHOUT_END);
    stand.decisions.respond = () => undefined;
    const hung: Promise<Answer>[] = [];
    let ended = 0;
    // A caller gets half of what is left. In waves, because a listener queues at most 511 connections and
    // others would wait for seconds.
    for (let left = SHARE; left > 0; left -= Math.ceil(left / 2)) {
      const key = stand.accounts.createKey();
      hung.push(...Array.from({ length: Math.ceil(left / 2) }, () => listAs(key)));
      await eventually(() => stand.decisions.seen.length === hung.length);
    }
    const end = () => (ended += 1);
    for (const answer of hung) void answer.then(end, end);
    for (const answer of await Promise.all(Array.from({ length: 88 }, () => list())))
      expectUnavailable(answer);
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
    expect(await stand.metric('waymark_upstream_errors_total', 'kind="timeout"')).toBe(5);
    expect(await stand.metric('waymark_circuit_open', 'upstream="decisions"')).toBe(1);
    for (let i = 0; i < 3; i += 1) expectUnavailable(await create());
  });

  it('that hangs for one caller only is 503 for that caller, however often, and available for others', async () => {
    await start({ UPSTREAM_RESPONSE_TIMEOUT_MS: '2000' });
    const other = stand.accounts.createKey();
    stand.decisions.respond = (request, response) => {
      if (request.url?.includes(other.principal.workspace_id)) answerEmpty(request, response);
    };
    const waiting = Array.from({ length: 10 }, list);
    await eventually(() => stand.decisions.seen.length === waiting.length);
    expect((await listAs(other)).status).toBe(200);
    for (const answer of await Promise.all(waiting)) expectUnavailable(answer);
    expect(await stand.metric('waymark_upstream_errors_total', 'kind="timeout"')).toBe(10);
    expect(await stand.metric('waymark_circuit_open', 'upstream="decisions"')).toBe(0);
    expect((await listAs(other)).status).toBe(200);
  });

  it('that was dead before is 503 within seconds for the one trial request', async () => {
    await start(WITHOUT_END);
    await stand.decisions.kill();
    for (let i = 0; i < 5; i += 1) expectUnavailable(await list());
    await stand.decisions.revive();
    stand.decisions.respond = () => undefined;
    const tried: Promise<Answer>[] = [];
    let ended = 0;
    const end = () => (ended += 1);
    await eventually(() => {
      const answer = list();
      tried.push(answer);
      void answer.then(end, end);
      return stand.decisions.seen.length === 1;
    });
    await eventually(() => ended === tried.length);
    for (const answer of await Promise.all(tried)) expectUnavailable(answer);
    expect(stand.decisions.seen).toHaveLength(1);
    expect(await stand.metric('waymark_upstream_errors_total', 'kind="timeout"')).toBe(1);
  });
});

describe('a service that is back', () => {
  it.each([1, 100_000])('is not kept unavailable by a slow client that has sent %i bytes', async (bytes) => {
    await start();
    await stand.decisions.kill();
    for (let i = 0; i < 5; i += 1) await list();
    await stand.decisions.revive();
    const dripping: http.ClientRequest[] = [];
    // A body of one byte stays at the gateway. A larger one is refused, or else reaches the service.
    let isOver = bytes === 1;
    stand.decisions.respond = (request, response) => {
      isOver = true;
      answerEmpty(request, response);
    };

    /** Sends a POST whose body never ends. Returns whether the gateway asked for the body. */
    function drip(): Promise<boolean> {
      const request = http.request(`${stand.url}/v1/decisions?workspaceId=${mine.principal.workspace_id}`, {
        method: 'POST',
        agent: false,
        headers: { 'x-api-key': mine.key, expect: '100-continue' },
      });
      dripping.push(request);
      let wasAsked = false;
      request.on('error', () => undefined);
      request.flushHeaders();
      return new Promise((resolve) => {
        request.on('continue', () => {
          wasAsked = true;
          request.write('x'.repeat(bytes));
          resolve(true);
        });
        request.on('response', (response) => {
          isOver ||= wasAsked;
          response.resume();
          resolve(false);
        });
      });
    }

    try {
      await eventually(drip);
      await eventually(() => isOver);
      await eventually(async () => expect((await list()).status).toBe(200));
    } finally {
      for (const request of dripping) request.destroy();
    }
  });
});

describe('a service that resets the connection', () => {
  it('gets a GET a second time, but no request of another method', async () => {
    await start();
    let calls = 0;
    stand.decisions.respond = (request, response) => {
      calls += 1;
      if (calls === 1) request.socket.destroy();
      else answerEmpty(request, response);
    };
    expect((await list()).status).toBe(200);
    expect(calls).toBe(2);
    calls = 0;
    expectUnavailable(await create());
    expect(calls).toBe(1);
  });

  it('a second time is answered with 503', async () => {
    await start();
    let calls = 0;
    stand.decisions.respond = (request) => {
      calls += 1;
      request.socket.destroy();
    };
    expectUnavailable(await list());
    expect(calls).toBe(2);
  });
});

describe('two replicas', () => {
  it('take turns', async () => {
    await startWithTwo();
    for (let i = 0; i < 6; i += 1) await list();
    expect([stand.decisions.seen.length, second.seen.length]).toEqual([3, 3]);
  });

  it('of which one refuses connections lose no request, whatever the method and body', async () => {
    await startWithTwo();
    await stand.decisions.kill();
    const body = { title: 'kept whole', description: 'y'.repeat(200_000) };
    for (let i = 0; i < 6; i += 1) expect((await create(body)).status).toBe(200);
    expect(second.seen).toHaveLength(6);
    for (const seen of second.seen) expect(JSON.parse(seen.body)).toEqual(body);
  });

  it('of which one drains send new requests to the other', async () => {
    await startWithTwo();
    stand.decisions.respond = (request, response) => {
      response.setHeader('connection', 'close');
      response.setHeader('x-waymark-draining', 'true');
      answerEmpty(request, response);
    };
    const answers = [];
    for (let i = 0; i < 8; i += 1) answers.push(await list());
    expect(stand.decisions.seen.length).toBeLessThanOrEqual(1);
    expect(stand.decisions.seen.length + second.seen.length).toBe(8);
    // The client's own connection stays open.
    for (const answer of answers) expect(answer.headers['connection']).toBe('keep-alive');
  });

  it('that both drain are still used', async () => {
    await startWithTwo();
    for (const replica of [stand.decisions, second]) {
      replica.respond = (request, response) => {
        response.setHeader('x-waymark-draining', 'true');
        answerEmpty(request, response);
      };
    }
    for (let i = 0; i < 6; i += 1) expect((await list()).status).toBe(200);
  });
});

describe('an error of the service', () => {
  it('reaches the client unchanged, and opens no circuit', async () => {
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
});
