import { describe, expect, it } from '@jest/globals';
import { createBatcher } from './batcher.ts';

const settled = () => new Promise(setImmediate);

/** A `run` function that records its items and ends when the test says so. */
function controlled(fail: (items: number[]) => Error | null = () => null) {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const run = async (items: number[]) => {
    batches.push(items);
    await new Promise<void>((resolve) => gates.push(resolve));
    const error = fail(items);
    if (error) throw error;
    return items.map((n) => n * 10);
  };
  const endNext = async (count = 1) => {
    for (let i = 0; i < count; i += 1) {
      gates.shift()!();
      await settled();
    }
  };
  return { run, batches, endNext };
}

describe('createBatcher', () => {
  it('runs the first item alone and those that arrive meanwhile together', async () => {
    const { run, batches, endNext } = controlled();
    const { add } = createBatcher({ run, maxSize: 10 });
    const results = Promise.all([1, 2, 3].map((n) => add(n)));
    await endNext(2);
    expect(await results).toEqual([10, 20, 30]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('limits the size of batches', async () => {
    const { run, batches, endNext } = controlled();
    const { add } = createBatcher({ run, maxSize: 2 });
    const results = Promise.all([1, 2, 3, 4].map((n) => add(n)));
    await endNext(3);
    expect(await results).toEqual([10, 20, 30, 40]);
    expect(batches).toEqual([[1], [2, 3], [4]]);
  });

  it('waits for the requested number of items, but no longer than the pause', async () => {
    const { run, batches, endNext } = controlled();
    const pauses: (() => void)[] = [];
    const { add } = createBatcher({
      run,
      maxSize: 10,
      gather: { ms: 1, items: (done, waiting) => (done > 1 ? done + waiting : 0) },
      wait: () => new Promise<void>((resolve) => pauses.push(resolve)),
    });
    const results = [1, 2, 3].map((n) => add(n));
    await endNext();
    expect(pauses).toEqual([]);
    await endNext();
    results.push(add(4));
    await settled();
    expect(batches).toEqual([[1], [2, 3]]);
    results.push(add(5));
    await settled();
    await endNext();
    results.push(add(6));
    await settled();
    expect(batches).toEqual([[1], [2, 3], [4, 5]]);
    pauses[1]!();
    await settled();
    await endNext();
    expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50, 60]);
    expect(batches).toEqual([[1], [2, 3], [4, 5], [6]]);
  });

  it('rejects only the item that fails, not the rest of its batch', async () => {
    const { run, endNext } = controlled((items) => (items.includes(3) ? new Error('poison') : null));
    const { add } = createBatcher({ run, maxSize: 10, isFaultOfOne: () => true });
    const results = Promise.allSettled([1, 2, 3, 4].map((n) => add(n)));
    await endNext(5);
    expect((await results).map((r) => (r.status === 'fulfilled' ? r.value : r.reason.message))).toEqual([
      10,
      20,
      'poison',
      40,
    ]);
  });

  it('rejects a whole batch when its error is not worth a retry', async () => {
    const { run, endNext } = controlled((items) => (items.length > 1 ? new Error('down') : null));
    const { add } = createBatcher({ run, isFaultOfOne: () => false });
    const results = Promise.allSettled([1, 2, 3].map((n) => add(n)));
    await endNext(2);
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  it('begins the next batch without waiting for items that are retried separately', async () => {
    const { run, batches, endNext } = controlled((items) =>
      items.length > 1 ? new Error('conflict') : null,
    );
    const { add } = createBatcher({ run, maxSize: 2, isFaultOfOne: () => true });
    void Promise.all([1, 2, 3, 4].map((n) => add(n)));
    await endNext(2);
    expect(batches).toEqual([[1], [2, 3], [2], [3], [4]]);
  });

  it('never runs two batches of one key at once, and serves keys in turn', async () => {
    const { run, batches, endNext } = controlled();
    const keys: string[] = [];
    const { add } = createBatcher<number, number>({
      run: (items, key) => {
        keys.push(key);
        return run(items);
      },
      maxSize: 3,
      sizeOf: (n) => n,
      keysAtOnce: 2,
    });
    const a = [1, 2, 1, 5].map((n) => add(n, 'a'));
    const b = [1, 1].map((n) => add(n, 'b'));
    const c = add(1, 'c');
    await endNext(6);
    expect(await Promise.all([...a, ...b, c])).toEqual([10, 20, 10, 50, 10, 10, 10]);
    expect(keys).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
    expect(batches).toEqual([[1], [1], [1], [2, 1], [1], [5]]);
  });
});
