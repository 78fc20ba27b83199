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
 */
export function groupCommit<T, R>(
  flush: (items: T[]) => Promise<R[]>,
  itemsMax: number,
): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let isRunning = false;

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
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void run();
    });
}
