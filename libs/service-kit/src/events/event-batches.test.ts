import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventBatches } from './event-batches.ts';

describe('eventBatches', () => {
  it('keep all records in order and stay within the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 60 }), (records, maxBytes) => {
        const batches = eventBatches(records, maxBytes);
        expect(batches.flat()).toEqual(records);
        for (const batch of batches) {
          expect(batch.length).toBeGreaterThan(0);
          const bytes = Buffer.byteLength(JSON.stringify(batch)) - 1;
          expect(batch.length === 1 || bytes <= maxBytes).toBe(true);
        }
      }),
    );
  });

  it('are as few as the order allows', () => {
    expect(eventBatches(['aaaa', 'bbbb', 'cccc'], 14)).toEqual([['aaaa', 'bbbb'], ['cccc']]);
    expect(eventBatches([])).toEqual([]);
  });
});
