import { describe, expect, it } from '@jest/globals';
import { createCountsCache } from './counts-cache.ts';

/** A cache whose counts end when the test says so. */
function harness() {
  const clock = { nowMs: 0 };
  const running: { workspaceId: string; resolve(value: number): void; reject(error: Error): void }[] = [];
  const { get, forget } = createCountsCache<number>({ now: () => clock.nowMs, entriesMax: 3 });
  function count(workspaceId: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    running.push({ workspaceId, resolve, reject });
    return promise;
  }
  const cache = { get: (workspaceId: string) => get(workspaceId, () => count(workspaceId)), forget };
  /** Ends the only running count. */
  async function end(value: number) {
    await settled();
    expect(running).toHaveLength(1);
    running.shift()!.resolve(value);
    await settled();
  }
  return { clock, running, cache, end };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the cache of counts', () => {
  it('shares one count between callers, and keeps it while time stands still', async () => {
    const { cache, end, running } = harness();
    const both = [cache.get('a'), cache.get('a')];
    await end(1);
    expect(await Promise.all([...both, cache.get('a')])).toEqual([1, 1, 1]);
    expect(running).toEqual([]);
  });

  it('counts again after at most 5 s, and when the clock was set back', async () => {
    const { cache, clock, end } = harness();
    for (const [value, nowMs] of [
      [1, 0],
      [2, 5_001],
      [3, -60_000],
    ] as const) {
      clock.nowMs = nowMs;
      const counted = cache.get('a');
      await end(value);
      expect(await counted).toBe(value);
    }
  });

  it('counts again after a change, and counts each workspace separately', async () => {
    const { cache, end, running } = harness();
    for (const workspaceId of ['a', 'b']) {
      const counted = cache.get(workspaceId);
      await end(1);
      await counted;
    }
    cache.forget('a');
    const [changed, other] = [cache.get('a'), cache.get('b')];
    await settled();
    expect(running.map(({ workspaceId }) => workspaceId)).toEqual(['a']);
    await end(2);
    expect([await changed, await other]).toEqual([2, 1]);
  });

  it('gives callers after a change the next count, and runs only one however many changes there are', async () => {
    const { cache, end, running } = harness();
    const before = cache.get('a');
    await settled();
    const after: Promise<number>[] = [];
    for (let change = 0; change < 3; change += 1) {
      cache.forget('a');
      after.push(cache.get('a'));
      await settled();
      expect(running).toHaveLength(1);
    }
    await end(1);
    expect(await before).toBe(1);
    await end(2);
    expect(await Promise.all(after)).toEqual([2, 2, 2]);
    expect(running).toEqual([]);
  });

  it('does not cache a failure', async () => {
    const { cache, end, running } = harness();
    const failed = cache.get('a');
    const expected = expect(failed).rejects.toThrow('away');
    await settled();
    running.shift()!.reject(new Error('away'));
    await expected;
    const counted = cache.get('a');
    await end(1);
    expect(await counted).toBe(1);
  });

  it('forgets the count that was made longest ago when there are too many', async () => {
    const { cache, end, running } = harness();
    for (const key of ['a', 'b', 'c', 'd']) {
      const counted = cache.get(key);
      await end(1);
      await counted;
    }
    expect(await cache.get('b')).toBe(1);
    expect(running).toEqual([]);
    const counted = cache.get('a');
    await end(2);
    expect(await counted).toBe(2);
  });
});
