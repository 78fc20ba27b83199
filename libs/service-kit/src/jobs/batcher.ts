import { setTimeout as delay } from 'node:timers/promises';

export interface BatcherOptions<Item, Result> {
  /** Processes the items of one batch; returns their results in the same order, or nothing. */
  run: (items: Item[], key: string) => Promise<readonly Result[]> | Promise<void>;
  /** The maximum size of a batch, in items or as `sizeOf` measures them; a larger item gets its own batch. */
  maxSize?: number;
  sizeOf?: (item: Item) => number;
  /** How many batches of different keys run at once; 1 by default. Batches of the same key never overlap. */
  keysAtOnce?: number;
  /** After a batch, the next one of its key waits up to `ms` for this many items. */
  gather?: { ms: number; items: (done: number, waiting: number) => number };
  /**
   * Reports whether one item alone may have caused an error: the batch's items are then retried one by one,
   * beside the next batch.
   */
  isFaultOfOne?: (error: unknown) => boolean;
  wait?: (ms: number) => Promise<unknown>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface KeyQueue<Item, Result> {
  key: string;
  waiting: Waiting<Item, Result>[];
  /** Called with each item that arrives while the queue gathers. */
  onArrival?: (() => void) | undefined;
}

/** Collects items: those that arrive while a batch runs share the next one. Keys are served in turn. */
export function createBatcher<Item, Result = void>(options: BatcherOptions<Item, Result>) {
  const { run, keysAtOnce = 1, gather, isFaultOfOne, wait = delay } = options;
  const { maxSize = Number.POSITIVE_INFINITY, sizeOf = () => 1 } = options;
  const queues = new Map<string, KeyQueue<Item, Result>>();
  const ready: KeyQueue<Item, Result>[] = [];
  let running = 0;

  async function runBatch(batch: Waiting<Item, Result>[], key: string): Promise<void> {
    try {
      const results = await run(
        batch.map(({ item }) => item),
        key,
      );
      for (const [i, { resolve }] of batch.entries()) resolve(results?.[i] as Result);
    } catch (error) {
      if (batch.length > 1 && isFaultOfOne?.(error)) for (const one of batch) void runBatch([one], key);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function gatherMore(queue: KeyQueue<Item, Result>, done: number): Promise<void> {
    const { ms, items } = gather!;
    const wanted = Math.min(items(done, queue.waiting.length), maxSize);
    if (queue.waiting.length >= wanted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.onArrival = () => {
      if (queue.waiting.length >= wanted) resolve();
    };
    await Promise.race([promise, wait(ms)]);
    queue.onArrival = undefined;
  }

  /** Returns how many of the first items fit in a batch, at least one. */
  function fitting(waiting: readonly { item: Item }[]): number {
    let size = 0;
    const end = waiting.findIndex(({ item }, i) => {
      size += sizeOf(item);
      return size > maxSize && i > 0;
    });
    return end < 0 ? waiting.length : end;
  }

  async function serve(queue: KeyQueue<Item, Result>): Promise<void> {
    const batch = queue.waiting.splice(0, fitting(queue.waiting));
    await runBatch(batch, queue.key);
    if (gather) await gatherMore(queue, batch.length);
    running -= 1;
    if (queue.waiting.length > 0) ready.push(queue);
    else queues.delete(queue.key);
    serveNext();
  }

  function serveNext(): void {
    while (running < keysAtOnce && ready.length > 0) {
      running += 1;
      void serve(ready.shift()!);
    }
  }

  return {
    /** Resolves with the item's result, or rejects with the error of its batch. */
    add: (item: Item, key = '') =>
      new Promise<Result>((resolve, reject) => {
        const known = queues.get(key);
        const queue = known ?? { key, waiting: [] };
        queue.waiting.push({ item, resolve, reject });
        if (known) return queue.onArrival?.();
        queues.set(key, queue);
        ready.push(queue);
        serveNext();
      }),
  };
}
