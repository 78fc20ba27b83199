import { createBatcher } from '@waymark/service-kit/jobs';

export type SharedCounts<T> = ReturnType<typeof sharedCounts<T>>;

/**
 * Runs one count of a workspace or other key at a time. Callers that arrive meanwhile share the next one, so
 * that many readers cost one count at a time, and no count is older than its request.
 */
export function sharedCounts<T>() {
  const { add } = createBatcher<() => Promise<T>, T>({
    keysAtOnce: Number.POSITIVE_INFINITY,
    async run(counts) {
      const counted = await counts.at(-1)!();
      return counts.map(() => counted);
    },
  });
  return (key: string, count: () => Promise<T>): Promise<T> => add(count, key);
}
