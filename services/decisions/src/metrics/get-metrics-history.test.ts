import { describe, expect, it } from '@jest/globals';
import { mondaysBefore } from './get-metrics-history.ts';

const days = (at: string, count: number) =>
  mondaysBefore(Date.parse(at), count).map((monday) => monday.slice(0, 10));

describe('mondaysBefore', () => {
  it('returns the Mondays before a moment, oldest first', () => {
    expect(days('2026-11-21T13:00:00Z', 3)).toEqual(['2026-11-02', '2026-11-09', '2026-11-16']);
    expect(days('2026-11-15T23:59:59.999Z', 1)).toEqual(['2026-11-09']);
  });

  it('leaves out the moment itself', () => {
    expect(days('2026-11-16T00:00:00Z', 1)).toEqual(['2026-11-09']);
    expect(days('2026-11-16T00:00:00.001Z', 1)).toEqual(['2026-11-16']);
  });
});
