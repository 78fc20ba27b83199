/**
 * Yields the same items, and fetches each in a turn that the caller waits for. `turn` returns the function
 * that ends it. While the consumer is busy with an item, others have their turns.
 */
export async function* inTurns<T>(
  items: AsyncIterable<T>,
  turn: () => Promise<() => void>,
): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const end = await turn();
      const { done, value } = await iterator.next().finally(end);
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
