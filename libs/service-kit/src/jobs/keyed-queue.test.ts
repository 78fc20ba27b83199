import { describe, expect, it } from '@jest/globals';
import { keyedQueue } from './keyed-queue.ts';

describe('keyedQueue', () => {
  it('runs tasks of one key one after another in order of arrival, also after a failure', async () => {
    const { runExclusive } = keyedQueue();
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const tasks = [
      runExclusive('a', async () => {
        log.push('first begins');
        await first.promise;
        log.push('first ends');
        throw new Error('first fails');
      }),
      runExclusive('a', async () => log.push('second')),
      runExclusive('a', async () => log.push('third')),
    ];
    await runExclusive('b', async () => log.push('another key'));
    first.resolve();
    const [failed] = await Promise.allSettled(tasks);
    expect(failed).toMatchObject({ status: 'rejected', reason: new Error('first fails') });
    expect(log).toEqual(['first begins', 'another key', 'first ends', 'second', 'third']);
  });

  it('lets later tasks begin when one hangs', async () => {
    const { runExclusive } = keyedQueue({ holdMs: 5 });
    const hanging = Promise.withResolvers<void>();
    const first = runExclusive('a', () => hanging.promise);
    await expect(runExclusive('a', async () => 'overtook')).resolves.toBe('overtook');
    hanging.resolve();
    await first;
  });

  it('lets a task whose deadline has come begin, which ends it, while another one runs', async () => {
    const { runExclusive } = keyedQueue();
    const running = Promise.withResolvers<void>();
    const first = runExclusive('a', () => running.promise);
    await expect(runExclusive('a', async () => 'ends', performance.now())).resolves.toBe('ends');
    running.resolve();
    await first;
  });
});
