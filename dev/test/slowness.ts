import { hash } from 'node:crypto';

const TEXT = 'x'.repeat(65_536);
const ROUNDS = 4_000;
/** The time of the rounds on a quiet machine of two cores. */
const QUIET_MS = 180;

/** Returns how many times slower than a quiet machine of two cores this one is now; at least 1. */
export function measureSlowness(): number {
  const startedAtMs = performance.now();
  for (let round = 0; round < ROUNDS; round += 1) hash('sha256', TEXT);
  return Math.max(1, (performance.now() - startedAtMs) / QUIET_MS);
}
