import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '@waymark/service-kit/process';
import { type ScanLimiter, scanLimiter } from './scan-limiter.ts';
import { OutOfTime, type TimeLeftMs } from './store/items.ts';

const NEVER_MS = 600_000;
const request = (deadlineMs = Number.POSITIVE_INFINITY, gone = new AbortController().signal) => ({
  deadlineMs,
  gone,
});
const settled = () => new Promise(setImmediate);
const limiter = (options: { timeoutMs?: number; total?: number } = {}) =>
  scanLimiter({ timeoutMs: NEVER_MS, metrics: createMetrics('test'), ...options });

/** Scans that end on command, with the order in which they began. */
function stand({ run }: ScanLimiter) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (workspaceId: string, name: string) =>
    run([`workspace ${workspaceId}`], request(), () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  return {
    begun,
    start,
    async end(name: string) {
      ends.get(name)!();
      await settled();
    },
  };
}

describe('scans', () => {
  it('run two at a time for each workspace', async () => {
    const { begun, start, end } = stand(limiter());
    for (const name of ['a1', 'a2', 'a3', 'a4']) void start('a', name);
    void start('b', 'b1');
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(begun).toHaveLength(3);
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    await end('a1');
    await end('a3');
    expect(begun).toHaveLength(5);
  });

  it.each([
    ['their own', 20, Number.POSITIVE_INFINITY],
    ['that of their request', NEVER_MS, 20],
  ])('end at %s deadline, running or waiting, and free their slot', async (_, timeoutMs, afterMs) => {
    const { run } = limiter({ timeoutMs, total: 1 });
    const ask = () => request(performance.now() + afterMs);
    const endless = async (timeLeftMs: TimeLeftMs) => {
      for (;;) {
        expect(timeLeftMs()).toBeLessThanOrEqual(20);
        await settled();
      }
    };
    const hung = Promise.withResolvers<string>();
    const holding = run(['workspace a'], request(), () => hung.promise);
    await expect(run(['workspace b'], ask(), endless)).rejects.toBeInstanceOf(OutOfTime);
    hung.resolve('late');
    expect(await holding).toBe('late');
    await expect(run(['workspace a'], ask(), endless)).rejects.toBeInstanceOf(OutOfTime);
    expect(await run(['workspace b'], request(), async () => 'at once')).toBe('at once');
  });

  it('do not run, and end, when their client is gone', async () => {
    const { run } = limiter({ total: 1 });
    const hung = Promise.withResolvers<string>();
    const client = new AbortController();
    const holding = run(['workspace a'], request(), () => hung.promise);
    const waiting = run(['workspace b'], request(undefined, client.signal), async () => 'begun');
    client.abort();
    await expect(waiting).rejects.toBeInstanceOf(OutOfTime);
    hung.resolve('late');
    await holding;
    const running = new AbortController();
    const scan = run(['workspace a'], request(undefined, running.signal), async (timeLeftMs) => {
      running.abort();
      return timeLeftMs();
    });
    await expect(scan).rejects.toBeInstanceOf(OutOfTime);
  });
});
