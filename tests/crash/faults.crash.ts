import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, eventually, patience } from '@waymark/testing';
import { type ProductProcesses, startProductProcesses } from './support/product-processes.ts';

/** Calls that may wait for a hung service before its circuit opens, as docs/performance.md states. */
const CALLS_TO_OPEN = 5;
/** Even a slow machine answers a hundred sequential calls of another service in this time. */
const HUNG_ANSWER_MS = patience(10_000);

const CALLS_MEANWHILE = 100;
/**
 * The allowed growth of the p99 of other services while one hangs: far more than a busy machine needs, far
 * less than the time of a call that waits for the hung service.
 */
const GROWTH = { factor: 10, floorMs: 1_000 };

let product: ProductProcesses;
beforeAll(async () => {
  product = await startProductProcesses({ env: { UPSTREAM_RESPONSE_TIMEOUT_MS: String(HUNG_ANSWER_MS) } });
});
afterAll(() => product.stop());

async function timed(path: string): Promise<Answer & { ms: number }> {
  const startedAt = performance.now();
  const answer = await product.call('GET', path, { query: { workspaceId: product.workspaceId } });
  return { ...answer, ms: performance.now() - startedAt };
}

/** The p99 of sequential calls of another service. Each must succeed. */
async function p99OfOthers(): Promise<number> {
  const taken: number[] = [];
  for (let i = 0; i < CALLS_MEANWHILE; i += 1) {
    const { status, ms } = await timed('/audit-log');
    expect(status).toBe(200);
    taken.push(ms);
  }
  return taken.toSorted((a, b) => a - b)[Math.ceil(0.99 * CALLS_MEANWHILE) - 1]!;
}

describe('a hung service', () => {
  it(`opens its circuit within ${CALLS_TO_OPEN} calls, does not affect other services, and recovers`, async () => {
    const before = await p99OfOthers();
    await product.processOf('decisions').kill('SIGSTOP');
    let isFirstBack = false;
    const waiting = Promise.all(
      Array.from({ length: CALLS_TO_OPEN }, async () => {
        const answer = await timed('/decisions');
        isFirstBack = true;
        return answer;
      }),
    );
    const meanwhile = await p99OfOthers();
    // All of them were answered while the calls of the hung service were still waiting.
    expect(isFirstBack).toBe(false);
    expect(meanwhile).toBeLessThan(GROWTH.factor * before + GROWTH.floorMs);
    expect((await waiting).map(({ status }) => status)).toEqual(Array(CALLS_TO_OPEN).fill(503));

    const refused = await timed('/decisions');
    expect(refused.body.error).toBe('SERVICE_UNAVAILABLE');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    // The refusal did not wait for the service.
    expect(refused.ms).toBeLessThan(HUNG_ANSWER_MS / 2);
    await product.processOf('decisions').kill('SIGCONT');
    await eventually(async () => (await timed('/decisions')).status === 200);
  });
});

describe('a dead service', () => {
  it('causes 503 with Retry-After within 3 s, and recovers', async () => {
    await product.processOf('decisions').kill('SIGKILL');
    const answer = await timed('/decisions');
    expect([answer.status, answer.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(answer.ms).toBeLessThan(patience(3_000));
    await product.processOf('decisions').restart();
    await eventually(async () => (await timed('/decisions')).status === 200);
  });
});

describe('an unavailable store', () => {
  it.each(['mongo', 'redis', 'nats'] as const)(
    '%s: no hang, no refusal of the caller, and it heals',
    async (name) => {
      const store = product.stores[name]!;
      await store.kill('SIGKILL');
      for (let i = 0; i < 20; i += 1) {
        const answer = await timed('/decisions');
        expect([200, 503]).toContain(answer.status);
        if (answer.status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
        if (name !== 'mongo') expect(answer.status).toBe(200);
        expect(answer.ms).toBeLessThan(patience(6_000));
      }
      await store.restart();
      await eventually(async () => (await timed('/decisions')).status === 200);
    },
  );
});
