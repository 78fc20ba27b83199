import { limits } from '@waymark/contracts';

/** Splits records into batches whose JSON has at most `maxBytes` each. A larger record gets its own batch. */
export function eventBatches<T>(records: readonly T[], maxBytes: number = limits.eventBatchBytes): T[][] {
  const batches: T[][] = [];
  let remainingBytes = 0;
  for (const record of records) {
    const bytes = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (bytes > remainingBytes) {
      batches.push([]);
      remainingBytes = maxBytes;
    }
    batches.at(-1)!.push(record);
    remainingBytes -= bytes;
  }
  return batches;
}
