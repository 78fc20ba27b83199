import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rateLimits } from '@waymark/contracts';
import { type Answer, eventually, httpCall, patience } from '@waymark/testing';
import { newWorkspace } from '../../dev/new-workspace.ts';
import { type DelayingProxy, startDelayingProxy } from './support/delaying-proxy.ts';
import { type ProductProcesses, startProductProcesses } from './support/product-processes.ts';

const FAR = 1_000_000;

let product: ProductProcesses;
/** The URL of each gateway. Each runs in its own process. */
let urls: string[];
beforeAll(async () => {
  const env = { DEFAULT_PLAN: 'business', API_KEYS_PER_WORKSPACE: String(FAR) };
  product = await startProductProcesses({ only: ['accounts', 'decisions'], replicas: { gateway: 2 }, env });
  urls = gateways().map(({ url }) => url);
});
afterAll(() => product.stop());

const gateways = () => product.services.processes.filter(({ service }) => service === 'gateway');

async function restartGateways(env: Record<string, string>): Promise<void> {
  await Promise.all(gateways().map(({ process }) => process.restart(env)));
}

async function createKey(name: string, { workspaceId, cookie } = product as Tenant) {
  const body = { workspaceId, name, scopes: ['read', 'write'] };
  const answer = await httpCall(urls[0]!, 'POST', '/v1/api-keys', { headers: { cookie }, body });
  expect(answer.status).toBe(201);
  return answer.body as { id: string; key: string };
}
interface Tenant {
  workspaceId: string;
  cookie: string;
}

describe('limits across two gateways', () => {
  const ROUNDS = 20;
  const CALLS = 200;
  const KEY_LIMIT = rateLimits.key.business.mutation;

  const limitedTo = (limits: object) => ({
    LIMIT_SCALE: '1',
    RATE_LIMITS: JSON.stringify({
      session: { mutation: FAR, read: FAR },
      address: { mutation: FAR, read: FAR },
      ...limits,
    }),
    // Counts are exact only while the gateways use Redis. A slow answer on a busy machine must not be a
    // timeout.
    REDIS_TIMEOUT_MS: '1000',
  });
  const keyBinds = limitedTo({ workspace: { business: { mutation: FAR } } });

  /** Sends concurrent mutations to both gateways in turn. */
  function burst(calls: number, key: string, workspaceId = product.workspaceId): Promise<Answer[]> {
    const mutate = (_: unknown, turn: number) =>
      httpCall(urls[turn % urls.length]!, 'POST', '/v1/quality', {
        query: { workspaceId },
        body: { title: 'A draft' },
        headers: { authorization: `Bearer ${key}` },
      });
    return Promise.all(Array.from({ length: calls }, mutate));
  }

  /** Groups answers by the window in X-RateLimit-Reset. */
  const byWindow = (answers: Answer[]) => [
    ...Map.groupBy(answers, ({ headers }) => headers['x-ratelimit-reset']).values(),
  ];
  const passed = (answers: Answer[]) => answers.filter(({ status }) => status === 200).length;

  /**
   * Sends a burst and returns its windows. Expects exactly the allowed requests in each, and no windows other
   * than those between the start and the end of the burst.
   */
  async function exactBurst(key: string, windowSeconds: number): Promise<Answer[][]> {
    const windowNow = () => Math.floor(Date.now() / (windowSeconds * 1_000));
    const first = windowNow();
    const windows = byWindow(await burst(CALLS, key));
    expect(windows.length).toBeLessThanOrEqual(windowNow() - first + 1);
    for (const window of windows) {
      expect(passed(window)).toBe(Math.min(KEY_LIMIT, window.length));
      expect(window.every(({ status }) => [200, 429].includes(status))).toBe(true);
    }
    return windows;
  }

  it(`let exactly ${KEY_LIMIT} of ${CALLS} concurrent mutations with one key pass, in ${ROUNDS} rounds`, async () => {
    await restartGateways({ ...keyBinds, RATE_WINDOW_SECONDS: '60' });
    for (let round = 0; round < ROUNDS; round += 1) {
      const { key } = await createKey(`round ${round}`);
      await exactBurst(key, 60);
    }
  });

  it('let exactly the allowed number pass on both sides of a window’s boundary', async () => {
    await restartGateways({ ...keyBinds, RATE_WINDOW_SECONDS: '1' });
    let windows: Answer[][];
    do {
      // Repeats the burst until a window boundary divides one into two parts that both exceed the limit.
      const { key } = await createKey('over a boundary');
      windows = await exactBurst(key, 1);
    } while (windows.filter(({ length }) => length > KEY_LIMIT).length < 2);
  });

  it('use none of the key’s bucket when the workspace’s limit refuses', async () => {
    const env = limitedTo({
      key: { business: { mutation: 20 } },
      workspace: { business: { mutation: 30 } },
    });
    await restartGateways({ ...env, RATE_WINDOW_SECONDS: '60' });
    let spent: Answer[];
    let refused: Answer[];
    let attempt = 0;
    do {
      // Repeats until both bursts fall into one window, each time in a new workspace.
      attempt += 1;
      const tenant = await newWorkspace(product.services.baseUrl, `ceiling-${attempt}`);
      const other = await createKey('other', tenant);
      spent = await burst(20, tenant.key, tenant.workspaceId);
      refused = await burst(40, other.key, tenant.workspaceId);
    } while (byWindow([...spent, ...refused]).length > 1);
    expect([passed(spent), passed(refused)]).toEqual([20, 10]);
    const last = refused.find(({ status }) => status === 429)!;
    expect(last.headers).toMatchObject({ 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '0' });
    expect(last.headers['ratelimit']).toContain('"key";r=10');
  });
});

describe('a revoked key', () => {
  const REVOCATIONS = 100;
  const CONNECTIONS = 64;
  const DEADLINE_MS = patience(250);
  const POLL_MS = 10;
  /**
   * The pause of each connection between two requests. It keeps the load low, so that the machine can meet
   * the deadline.
   */
  const PAUSE_MS = 100;
  /** How long after the revocation of its key a slow look-up ends. */
  const SLOW_MS = 60;

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 3 * CONNECTIONS });
  let proxy: DelayingProxy;
  beforeAll(async () => {
    proxy = await startDelayingProxy(
      product.services.processes.find(({ service }) => service === 'accounts')!.url,
    );
    await restartGateways({ LIMIT_SCALE: '100000', ACCOUNTS_URL: proxy.url });
  });
  afterAll(async () => {
    agent.destroy();
    await proxy.stop();
  });

  async function whoami(base: string, key: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}` };
    return (await httpCall(base, 'GET', '/v1/whoami', { agent, headers })).status;
  }

  /** Sends requests until the key is refused. Returns the start of the last request that was accepted. */
  async function lastAccepted(url: string, key: string): Promise<number> {
    for (let acceptedAt = Number.NEGATIVE_INFINITY; ; ) {
      const askedAt = performance.now();
      const status = await whoami(url, key);
      if (status === 401) return acceptedAt;
      if (status === 200) acceptedAt = askedAt;
      await pause(POLL_MS);
    }
  }

  /** Uses the current key, which will be revoked, and a permanent key over all connections. */
  function startTraffic(current: () => string) {
    let isOn = true;
    let passed = 0;
    const load = Array.from({ length: CONNECTIONS }, async (_, i) => {
      while (isOn) {
        const status = await whoami(urls[i % 2]!, i % 4 < 2 ? current() : product.key);
        if (status === 200) passed += 1;
        await pause(PAUSE_MS);
      }
    });
    return {
      passed: () => passed,
      async stop() {
        isOn = false;
        await Promise.allSettled(load);
      },
    };
  }

  it(`is refused by two gateways within ${DEADLINE_MS} ms of the answer, ${REVOCATIONS} times under traffic with slow look-ups`, async () => {
    let current = product.key;
    const traffic = startTraffic(() => current);

    async function revoke(i: number): Promise<void> {
      const passedBefore = traffic.passed();
      const { id, key } = await createKey(`doomed ${i}`);
      // In alternate rounds, both gateways know the key when it is revoked, or both look it up for the first
      // time.
      const isKnown = i % 2 === 0;
      if (isKnown) for (const url of urls) expect(await whoami(url, key)).toBe(200);
      const slow = isKnown ? (await createKey(`slow ${i}`)).key : key;
      proxy.holdAnswers(slow);
      const slowAnswers = urls.map((url) => whoami(url, slow));
      while (proxy.heldCount() < urls.length) await pause(1);
      current = key;

      const { cookie } = product;
      const revoked = await httpCall(urls[0]!, 'DELETE', `/v1/api-keys/${id}`, { headers: { cookie } });
      const answeredAt = performance.now();
      expect(revoked.status).toBe(204);
      const released = pause(SLOW_MS).then(() => proxy.releaseAnswers());
      for (const acceptedAt of await Promise.all(urls.map((url) => lastAccepted(url, key))))
        expect(acceptedAt - answeredAt).toBeLessThan(DEADLINE_MS);
      await released;
      // If the machine stalls, the look-up can time out in its gateway. The request is then refused with 503.
      for (const status of await Promise.all(slowAnswers))
        expect([isKnown ? 200 : 401, 503]).toContain(status);
      // A late look-up must not make the key valid again.
      for (const url of urls) expect([401, 503]).toContain(await whoami(url, key));
      await eventually(() => traffic.passed() > passedBefore);
    }

    try {
      for (let i = 0; i < REVOCATIONS; i += 1) await revoke(i);
    } finally {
      proxy.releaseAnswers();
      await traffic.stop();
    }
  });
});
