import { limits } from '@waymark/contracts';

/**
 * Splits records into runs whose JSON has at most `maxBytes` each, in their order; a larger record stands
 * alone.
 */
export function eventBatches<T>(records: readonly T[], maxBytes: number = limits.eventBatchBytes): T[][] {
  const batches: T[][] = [];
  let room = 0;
  for (const record of records) {
    const bytes = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (bytes > room) {
      batches.push([]);
      room = maxBytes;
    }
    batches.at(-1)!.push(record);
    room -= bytes;
  }
  return batches;
}
