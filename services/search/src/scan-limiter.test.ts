import { describe, expect, it } from '@jest/globals';
import { type ScanTurns, scanTurns } from './scan-limiter.ts';
import { OutOfTime, type TimeLeftMs } from './store/items.ts';

const NEVER_MS = 600_000;
const turns = () => new Promise(setImmediate);

/** Scans that end when they are told to, and the order in which they began. */
function stand({ run }: ScanTurns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (workspaceId: string, name: string) =>
    run(workspaceId, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  return {
    begun,
    start,
    async end(name: string) {
      ends.get(name)!();
      await turns();
    },
  };
}

describe('scans', () => {
  it('of a workspace run two at a time, whoever else scans', async () => {
    const { begun, start, end } = stand(scanTurns({ timeMs: NEVER_MS, atOnceOfWorkspace: 2 }));
    for (const name of ['a1', 'a2', 'a3', 'a4']) void start('a', name);
    void start('b', 'b1');
    await turns();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(begun).toHaveLength(3);
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    await end('a1');
    await end('a3');
    expect(begun).toHaveLength(5);
  });

  it('wait by workspace in turn where there is no room for all', async () => {
    const { begun, start, end } = stand(scanTurns({ timeMs: NEVER_MS, atOnce: 1 }));
    for (const name of ['a1', 'a2', 'a3']) void start('a', name);
    for (const name of ['b1', 'b2']) void start('b', name);
    void start('c', 'c1');
    await turns();
    for (let i = 0; i < 5; i += 1) await end(begun.at(-1)!);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('are over when their time is, also those that wait, and leave room behind', async () => {
    const { run } = scanTurns({ timeMs: 20, atOnce: 1 });
    const slow = async (timeLeftMs: TimeLeftMs) => {
      for (;;) {
        expect(timeLeftMs()).toBeLessThanOrEqual(20);
        await new Promise(setImmediate);
      }
    };
    const hung = Promise.withResolvers<string>();
    const holding = run('a', () => hung.promise);
    await expect(run('b', slow)).rejects.toBeInstanceOf(OutOfTime);
    hung.resolve('late');
    expect(await holding).toBe('late');
    await expect(run('a', slow)).rejects.toBeInstanceOf(OutOfTime);
    expect(await run('b', async () => 'at once')).toBe('at once');
  });

  it('that fail leave room behind', async () => {
    const { run } = scanTurns({ timeMs: NEVER_MS, atOnce: 1 });
    const failing = () => Promise.reject(new Error('away'));
    const all = [1, 2, 3].map(() => run('a', failing));
    for (const one of all) await expect(one).rejects.toThrow('away');
  });
});
