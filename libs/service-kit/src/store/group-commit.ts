import { isUnavailable, isWriteConflict } from './database.ts';

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Gives items to `flush` together: what arrives while one flush is under way shares the next. A single item goes at
 * once, and under load one transaction carries many. When one of many is in the way they are tried one by one: what no flush
 * can take, or what a transaction of a dead process still has locked, neither fails the others nor holds up the next.
 *
 * With `pause`, who was flushed together may come again before the next flush: it waits for as many as there were, until the
 * pause is over. Callers that wait for each answer otherwise split into groups that wait for each other in turn.
 */
export function groupCommit<T, R>(
  flush: (items: T[]) => Promise<R[]>,
  itemsMax: number,
  pause?: () => Promise<unknown>,
): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let isRunning = false;
  let gathering: { count: number; end: () => void } | undefined;

  async function flushAll(group: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await flush(group.map(({ item }) => item));
      for (const [i, { resolve }] of group.entries()) resolve(results[i]!);
    } catch (error) {
      if (group.length > 1 && (isWriteConflict(error) || !isUnavailable(error))) {
        for (const one of group) void flushAll([one]);
      } else {
        for (const { reject } of group) reject(error);
      }
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, itemsMax);
      waiting = waiting.slice(itemsMax);
      await flushAll(group);
      if (pause && group.length > 1) await gather(Math.min(group.length + waiting.length, itemsMax), pause);
    }
    isRunning = false;
  }

  async function gather(count: number, pause: () => Promise<unknown>): Promise<void> {
    if (waiting.length >= count) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    gathering = { count, end: resolve };
    await Promise.race([promise, pause()]);
    gathering = undefined;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void run();
      else if (gathering && waiting.length >= gathering.count) gathering.end();
    });
}
