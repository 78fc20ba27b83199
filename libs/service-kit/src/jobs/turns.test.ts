import { describe, expect, it } from '@jest/globals';
import { createTurns } from './turns.ts';

describe('turns', () => {
  it('run tasks of one key one after another, in the order of their arrival, also after a failure', async () => {
    const inTurn = createTurns();
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const tasks = [
      inTurn('a', async () => {
        log.push('first begins');
        await first.promise;
        log.push('first ends');
        throw new Error('first fails');
      }),
      inTurn('a', async () => log.push('second')),
      inTurn('a', async () => log.push('third')),
    ];
    await inTurn('b', async () => log.push('another key'));
    first.resolve();
    const [failed] = await Promise.allSettled(tasks);
    expect(failed).toMatchObject({ status: 'rejected', reason: new Error('first fails') });
    expect(log).toEqual(['first begins', 'another key', 'first ends', 'second', 'third']);
  });

  it('do not let a task that hangs hold up those behind it', async () => {
    const inTurn = createTurns({ holdMs: 5 });
    const hanging = Promise.withResolvers<void>();
    const first = inTurn('a', () => hanging.promise);
    await expect(inTurn('a', async () => 'went ahead')).resolves.toBe('went ahead');
    hanging.resolve();
    await first;
  });
});
