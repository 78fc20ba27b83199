import { LRUCache } from 'lru-cache';

/**
 * Keeps the `max` values that were used last. It grows as it fills; LRUCache with `max` takes the memory of
 * all its keys at once, 2 MB in each service.
 */
export const boundedCache = <K extends {}, V extends {}>(max: number): LRUCache<K, V> =>
  new LRUCache<K, V>({ maxSize: max, sizeCalculation: () => 1 });
