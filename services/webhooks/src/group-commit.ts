import { isUnavailable } from '@waymark/service-kit';

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Gives items to `flush` together: what arrives while one flush is under way shares the next. A single item goes at
 * once, and under load one transaction carries many. An item that no flush can take does not take others down with it.
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
      if (group.length > 1 && !isUnavailable(error)) {
        for (const one of group) await flushAll([one]);
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
