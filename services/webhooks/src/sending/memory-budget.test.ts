import { describe, expect, it } from '@jest/globals';
import { createMemoryBudget, type MemoryBudget } from './memory-budget.ts';

const MEBI = 1024 * 1024;
const MOST = 160 * MEBI;
const ENDPOINTS = 50;
/** The most deliveries of a queue in memory, however small they are. */
const QUEUE_FULL = 256;
const USUAL = 2_000;
const LARGE = 200_000;

const queueOf = (workspace_id: string) => ({ workspace_id });
const queuesOf = (workspaceId: string, count = ENDPOINTS) =>
  Array.from({ length: count }, () => queueOf(workspaceId));

/** Fills a queue that keeps everything; returns how many payloads it has taken. */
function fill(budget: MemoryBudget, queue: { workspace_id: string }, size: number): number {
  let count = 0;
  for (; count < QUEUE_FULL && budget.fits(queue, size); count += 1) budget.take(queue, size);
  return count;
}

describe('memory for payloads', () => {
  it.each([USUAL, LARGE, 1_000_000])('is limited, however many endpoints hang with %i characters', (size) => {
    const budget = createMemoryBudget();
    const queues = Array.from({ length: 100 }, (_, n) => queuesOf(`${n}`)).flat();
    const taken = queues.reduce((sum, queue) => sum + fill(budget, queue, size) * size, 0);
    expect(taken).toBeLessThanOrEqual(MOST);
  });

  it('is left for other workspaces, also for large payloads, when all endpoints of one hang', () => {
    const budget = createMemoryBudget();
    for (const slow of queuesOf('slow')) fill(budget, slow, LARGE);
    expect(fill(budget, queueOf('quick'), LARGE)).toBeGreaterThanOrEqual(32);
    expect(fill(budget, queueOf('quick'), 2)).toBe(QUEUE_FULL);
  });

  it('is left for the other endpoints of a workspace when one hangs', () => {
    const budget = createMemoryBudget();
    expect(fill(budget, queueOf('one'), 10 * LARGE)).toBeLessThan(32);
    expect(fill(budget, queueOf('one'), LARGE)).toBeGreaterThanOrEqual(32);
  });

  it('is enough for a large payload, and many usual ones, when all of twenty workspaces hang', () => {
    const budget = createMemoryBudget();
    for (let n = 0; n < 20; n += 1) for (const slow of queuesOf(`slow ${n}`)) fill(budget, slow, LARGE);
    expect(budget.fits(queueOf('quick'), LARGE)).toBe(true);
    expect(fill(budget, queueOf('quick'), USUAL)).toBeGreaterThanOrEqual(32);
  });

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
