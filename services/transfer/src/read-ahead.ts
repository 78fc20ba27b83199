/** Yields the same items, and fetches the next one while the caller processes the current one. */
export async function* readAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let next = fetchNext();
  for (;;) {
    const { done, value } = await next;
    if (done) return;
    next = fetchNext();
    yield value;
  }

  function fetchNext() {
    const fetched = iterator.next();
    fetched.catch(() => undefined);
    return fetched;
  }
}
