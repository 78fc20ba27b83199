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

  it('end at their deadline, running or waiting, and free their slot', async () => {
    const { run } = limiter({ timeoutMs: 20, total: 1 });
    const slow = async (timeLeftMs: TimeLeftMs) => {
      for (;;) {
        expect(timeLeftMs()).toBeLessThanOrEqual(20);
        await new Promise(setImmediate);
      }
    };
    const hung = Promise.withResolvers<string>();
    const holding = run(['workspace a'], request(), () => hung.promise);
    await expect(run(['workspace b'], request(), slow)).rejects.toBeInstanceOf(OutOfTime);
    hung.resolve('late');
    expect(await holding).toBe('late');
    await expect(run(['workspace a'], request(), slow)).rejects.toBeInstanceOf(OutOfTime);
    expect(await run(['workspace b'], request(), async () => 'at once')).toBe('at once');
  });

  it('end at the deadline of their request', async () => {
    const { run } = limiter({ total: 1 });
    const hung = Promise.withResolvers<string>();
    const holding = run(['workspace a'], request(), () => hung.promise);
    await expect(
      run(['workspace b'], request(performance.now() + 20), async () => 'begun'),
    ).rejects.toBeInstanceOf(OutOfTime);
    hung.resolve('late');
    expect(await holding).toBe('late');
    const scan = async (timeLeftMs: TimeLeftMs) => {
      for (;;) {
        timeLeftMs();
        await settled();
      }
    };
    await expect(run(['workspace b'], request(performance.now() + 20), scan)).rejects.toBeInstanceOf(
      OutOfTime,
    );
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

  it('free their slot when they fail', async () => {
    const { run } = limiter({ total: 1 });
    const failing = () => Promise.reject(new Error('away'));
    const all = [1, 2, 3].map(() => run(['workspace a'], request(), failing));
    for (const one of all) await expect(one).rejects.toThrow('away');
  });
});
