import { describe, expect, it } from '@jest/globals';
import { groupCommit } from './group-commit.ts';

/** A flush that waits to be let on, and notes what it was given. */
function controlled(fail: (items: number[]) => Error | null = () => null) {
  const flushed: number[][] = [];
  const gates: (() => void)[] = [];
  const flush = async (items: number[]) => {
    flushed.push(items);
    await new Promise<void>((resolve) => gates.push(resolve));
    const error = fail(items);
    if (error) throw error;
    return items.map((n) => n * 10);
  };
  const letOn = async () => {
    gates.shift()!();
    await new Promise(setImmediate);
  };
  return { flush, flushed, letOn };
}

describe('groupCommit', () => {
  it('flushes the first alone and what came meanwhile together', async () => {
    const { flush, flushed, letOn } = controlled();
    const add = groupCommit(flush, 10);
    const results = Promise.all([1, 2, 3].map(add));
    await letOn();
    await letOn();
    expect(await results).toEqual([10, 20, 30]);
    expect(flushed).toEqual([[1], [2, 3]]);
  });

  it('keeps to its size', async () => {
    const { flush, flushed, letOn } = controlled();
    const add = groupCommit(flush, 2);
    const results = Promise.all([1, 2, 3, 4].map(add));
    for (let i = 0; i < 3; i += 1) await letOn();
    expect(await results).toEqual([10, 20, 30, 40]);
    expect(flushed).toEqual([[1], [2, 3], [4]]);
  });

  it('waits a moment for those it has just flushed together, and no longer when all are back', async () => {
    const { flush, flushed, letOn } = controlled();
    const pauses: (() => void)[] = [];
    const add = groupCommit(flush, 10, () => new Promise<void>((resolve) => pauses.push(resolve)));
    const results = [1, 2, 3].map(add);
    await letOn();
    expect(pauses).toEqual([]);
    await letOn();
    results.push(add(4));
    await new Promise(setImmediate);
    expect(flushed).toEqual([[1], [2, 3]]);
    results.push(add(5));
    await new Promise(setImmediate);
    await letOn();
    results.push(add(6));
    await new Promise(setImmediate);
    expect(flushed).toEqual([[1], [2, 3], [4, 5]]);
    pauses[1]!();
    await new Promise(setImmediate);
    await letOn();
    expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50, 60]);
    expect(flushed).toEqual([[1], [2, 3], [4, 5], [6]]);
  });

  it('fails the one item that cannot be flushed, not its companions', async () => {
    const { flush, letOn } = controlled((items) => (items.includes(3) ? new Error('poison') : null));
    const add = groupCommit(flush, 10);
    const results = Promise.allSettled([1, 2, 3, 4].map(add));
    for (let i = 0; i < 5; i += 1) await letOn();
    expect((await results).map((r) => (r.status === 'fulfilled' ? r.value : r.reason.message))).toEqual([
      10,
      20,
      'poison',
      40,
    ]);
  });
});
