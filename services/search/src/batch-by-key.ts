interface Waiting<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Gives items to `work` in batches of one key, never two of the same key at once. What arrives for a key while it is
 * worked on shares its next batch; keys take turns. An item's promise settles with its batch.
 */
export function batchByKey<T>(options: {
  work: (key: string, items: T[]) => Promise<void>;
  itemsPerBatch: number;
  keysAtOnce: number;
}): (key: string, item: T) => Promise<void> {
  const { work, itemsPerBatch, keysAtOnce } = options;
  const waitingByKey = new Map<string, Waiting<T>[]>();
  const turns: string[] = [];
  let running = 0;

  async function run(key: string, waiting: Waiting<T>[]): Promise<void> {
    const batch = waiting.splice(0, itemsPerBatch);
    const items = batch.map(({ item }) => item);
    try {
      await work(key, items);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    if (waiting.length > 0) turns.push(key);
    else waitingByKey.delete(key);
  }

  function next(): void {
    while (running < keysAtOnce && turns.length > 0) {
      const key = turns.shift()!;
      running += 1;
      void run(key, waitingByKey.get(key)!).then(() => {
        running -= 1;
        next();
      });
    }
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const waiting = waitingByKey.get(key);
      if (waiting) {
        waiting.push({ item, resolve, reject });
        return;
      }
      waitingByKey.set(key, [{ item, resolve, reject }]);
      turns.push(key);
      next();
    });
}
