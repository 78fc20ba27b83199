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
  /** The most that a batch weighs, but for a heavier item alone. */
  weightPerBatch: number;
  /** Default: every item weighs 1. */
  weigh?: (item: T) => number;
  keysAtOnce: number;
}): (key: string, item: T) => Promise<void> {
  const { work, weightPerBatch, keysAtOnce, weigh = () => 1 } = options;
  const waitingByKey = new Map<string, Waiting<T>[]>();
  const turns: string[] = [];
  let running = 0;

  async function run(key: string, waiting: Waiting<T>[]): Promise<void> {
    let count = 0;
    for (let room = weightPerBatch; count < waiting.length; count += 1) {
      room -= weigh(waiting[count]!.item);
      if (room < 0 && count > 0) break;
    }
    const batch = waiting.splice(0, count);
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
