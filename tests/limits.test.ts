import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGateway } from '@waymark/gateway';
import type { RunningService } from '@waymark/service-kit';
import { type Answer, httpCall, type Stack } from '@waymark/testing';
import { startProduct } from './product.ts';

const ROUNDS = 20;
const CALLS = 200;
const KEY_LIMIT = 30;
const FAR = 1_000_000;
/** What counts is exact while Redis is asked: a busy machine is no reason to leave it. */
const PATIENT = { LIMIT_SCALE: '1', REDIS_TIMEOUT_MS: '1000' };

/** Only the key's bucket can bind. */
const keyBinds = {
  ...PATIENT,
  RATE_LIMITS: JSON.stringify({
    workspace: { business: { mutation: FAR, read: FAR } },
    session: { mutation: FAR, read: FAR },
    address: { mutation: FAR, read: FAR },
  }),
};

async function withTwoGateways(
  env: Record<string, string>,
  work: (stack: Stack, urls: string[]) => Promise<void>,
) {
  const product = await startProduct(env);
  const second = await startGateway({ ...product.env, PORT: '0', ADMIN_PORT: '0' });
  try {
    await work(product, [product.url, second.url]);
  } finally {
    await second.stop();
    await product.stop();
  }
}

function mutate(base: string, key: string, workspaceId: string): Promise<Answer> {
  return httpCall(base, 'POST', '/v1/quality', {
    query: { workspaceId },
    body: { title: 'A draft' },
    headers: { authorization: `Bearer ${key}` },
  });
}

/** Answers by the window that each names in X-RateLimit-Reset. */
function byWindow(answers: Answer[]): Answer[][] {
  return [...Map.groupBy(answers, (answer) => answer.headers['x-ratelimit-reset']).values()];
}

const passed = (answers: Answer[]) => answers.filter((answer) => answer.status === 200).length;

describe('one key at 30 mutations a window, over two gateways', () => {
  it(`lets exactly 30 of ${CALLS} concurrent ones pass, in ${ROUNDS} rounds`, async () => {
    await withTwoGateways(keyBinds, async (product, urls) => {
      const owner = await product.signUp();
      for (let round = 0; round < ROUNDS; round += 1) {
        const key = await product.createKey(owner);
        const calls = Array.from({ length: CALLS }, (_, i) => mutate(urls[i % 2]!, key, owner.workspaceId));
        const answers = await Promise.all(calls);
        for (const window of byWindow(answers)) {
          expect(passed(window)).toBe(Math.min(KEY_LIMIT, window.length));
          expect(window.every((answer) => [200, 429].includes(answer.status))).toBe(true);
        }
      }
    });
  }, 120_000);

  it(`lets exactly 30 of them pass on either side of a window’s boundary`, async () => {
    await withTwoGateways({ ...keyBinds, RATE_WINDOW_SECONDS: '1' }, async (product, urls) => {
      const owner = await product.signUp();
      let windows: Answer[][];
      do {
        // One burst after another, so that boundaries fall into them, until one has enough before it and behind it.
        const key = await product.createKey(owner);
        const calls = Array.from({ length: CALLS }, (_, i) => mutate(urls[i % 2]!, key, owner.workspaceId));
        windows = byWindow(await Promise.all(calls));
        for (const window of windows) expect(passed(window)).toBe(Math.min(KEY_LIMIT, window.length));
      } while (windows.filter((window) => window.length > KEY_LIMIT).length < 2);
    });
  }, 120_000);
});

describe('the workspace’s ceiling', () => {
  it('refuses without spending anything of the key’s bucket', async () => {
    const env = {
      ...PATIENT,
      RATE_LIMITS: JSON.stringify({
        key: { business: { mutation: 20 } },
        workspace: { business: { mutation: 30 } },
        session: { mutation: FAR },
        address: { mutation: FAR },
      }),
    };
    await withTwoGateways(env, async (product, urls) => {
      const owner = await product.signUp();
      const [first, second] = [await product.createKey(owner), await product.createKey(owner)];
      let spent: Answer[] = [];
      let refused: Answer[] = [];
      do {
        // Until both bursts fall into one window; a boundary between them would tell nothing.
        spent = await Promise.all(
          Array.from({ length: 20 }, () => mutate(urls[0]!, first, owner.workspaceId)),
        );
        refused = await Promise.all(
          Array.from({ length: 40 }, (_, i) => mutate(urls[i % 2]!, second, owner.workspaceId)),
        );
      } while (byWindow([...spent, ...refused]).length > 1);
      expect(passed(spent)).toBe(20);
      expect(passed(refused)).toBe(10);
      const last = refused.find((answer) => answer.status === 429)!;
      expect(last.headers['x-ratelimit-limit']).toBe('30');
      expect(last.headers['x-ratelimit-remaining']).toBe('0');
      expect(last.headers['ratelimit']).toContain('"key";r=10');
    });
  }, 90_000);
});

describe('X-RateLimit headers', () => {
  let product: Stack;
  let extra: RunningService | undefined;
  beforeAll(async () => {
    product = await startProduct(PATIENT);
  });
  afterAll(async () => {
    await extra?.stop();
    await product.stop();
  });

  it('tell read, export and mutation apart, by the plan’s limits', async () => {
    const owner = await product.workspace();
    const query = { workspaceId: owner.workspaceId };
    const limitOf = async (method: string, path: string, body?: object) => {
      const answer = await product.call(method, path, { key: owner.key, query, ...(body && { body }) });
      return answer.headers['x-ratelimit-limit'];
    };
    expect(await limitOf('GET', '/decisions')).toBe('100');
    expect(await limitOf('GET', '/audit-log')).toBe('100');
    expect(await limitOf('GET', '/decisions/export-csv')).toBe('10');
    expect(await limitOf('POST', '/decisions', { title: 'x' })).toBe('30');
    await product.call('PUT', `/workspaces/${owner.workspaceId}/plan`, {
      cookie: owner.cookie,
      body: { plan: 'enterprise' },
    });
    expect(await limitOf('GET', '/decisions')).toBe('300');
  });
});
