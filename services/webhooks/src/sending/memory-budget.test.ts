import { describe, expect, it } from '@jest/globals';
import { createMemoryBudget, type MemoryBudget } from './memory-budget.ts';

const MEBI = 1024 * 1024;
const MOST = 160 * MEBI;
const ENDPOINTS = 50;

/** Fills queues that keep everything; returns how much they hold in total. */
function fill(budget: MemoryBudget, workspaces: number, size: number, perQueue: number): number {
  let held = 0;
  for (let n = 0; n < workspaces * ENDPOINTS; n += 1) {
    const queue = { workspace_id: `${Math.floor(n / ENDPOINTS)}` };
    for (let count = 0; count < perQueue && budget.fits(queue, size); count += 1) {
      budget.take(queue, size);
      held += size;
    }
  }
  return held;
}

describe('memory for payloads', () => {
  it.each([2_000, 200_000, 1_000_000])(
    'is limited, however many endpoints hang with %i characters',
    (size) => {
      expect(fill(createMemoryBudget(), 100, size, 256)).toBeLessThanOrEqual(MOST);
    },
  );

  it('is limited for queues that claim at the same time', () => {
    const budget = createMemoryBudget();
    const size = 200_000;
    const queues = Array.from({ length: 5_000 }, (_, n) => ({ workspace_id: `${n % 100}` }));
    const asked = queues
      .filter((queue) => budget.room(queue) > 0)
      .map((queue) => ({ queue, ...budget.reserve(queue) }));
    let held = 0;
    for (const { queue, enough, most, giveBack } of asked) {
      giveBack();
      let got = 0;
      while (got < enough && got + size <= most) got += size;
      budget.take(queue, got);
      held += got;
    }
    expect(asked.length).toBeGreaterThan(50);
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThanOrEqual(MOST);
  });

  it('is completely available again when everything has been given back', () => {
    const budget = createMemoryBudget();
    const queue = { workspace_id: 'one' };
    const before = budget.room(queue);
    const { giveBack } = budget.reserve(queue);
    expect(budget.room(queue)).toBeLessThan(before);
    giveBack();
    budget.take(queue, 1_000_000);
    budget.give(queue, 1_000_000);
    expect(budget.room(queue)).toBe(before);
  });
});
