import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { createLogger } from '@waymark/service-kit/process';
import { parse } from 'yaml';
import { circuitBreaker } from '../../services/gateway/src/proxy/circuit-breaker.ts';
import { UpstreamFailure } from '../../services/gateway/src/proxy/upstream-failure.ts';

const file = join(findRepositoryRoot(), 'deploy/helm/waymark/files/alerts.yaml');
const { expr } = parse(readFileSync(file, 'utf8')).groups[0].rules.find(
  ({ alert }: { alert: string }) => alert === 'WaymarkServiceUnreachable',
);
const [, secondsEach, windowMinutes, stepSeconds, refusedSeconds] = expr
  .match(/^(\d+) \* sum_over_time\(max by .*\[(\d+)m:(\d+)s\]\) > (\d+)$/)
  .map(Number);

/**
 * The seconds at which the alert begins to ring while a service that does not answer is asked at those of
 * `asked`.
 */
async function rungAfter(asked: (second: number) => boolean, untilSeconds: number): Promise<number | null> {
  let second = 0;
  let isRefusing = () => false;
  const metrics = {
    watchCircuit: (_: string, watched: () => boolean) => {
      isRefusing = watched;
    },
  };
  const log = createLogger('gateway', 'silent');
  const { run } = circuitBreaker({ service: 'transfer', metrics, log, now: () => second * 1000 });
  const samples: number[] = [];
  for (; second < untilSeconds; second += 1) {
    if (asked(second))
      await run(true, () => Promise.reject(new UpstreamFailure('reset', 'cut off'))).catch(() => {});
    if (second % stepSeconds === 0) samples.push(isRefusing() ? 1 : 0);
    const counted = samples.slice((-windowMinutes * 60) / stepSeconds);
    if (counted.reduce((sum, sample) => sum + sample, 0) * secondsEach > refusedSeconds) return second;
  }
  return null;
}

test('the seconds of each sample are those between two', () => expect(secondsEach).toBe(stepSeconds));

test('a service that is asked all the time rings after a minute', async () => {
  expect(await rungAfter(() => true, 3_600)).toBeLessThan(90);
});

test.each([40, 60, 120, 180])('one that is asked every %i s rings at the third refusal', async (seconds) => {
  const opened = 4 * seconds;
  const rung = await rungAfter((second) => second % seconds === 0, 3_600);
  expect(rung).toBeGreaterThan(opened + 60);
  expect(rung).toBeLessThanOrEqual(opened + 2 * seconds + 30);
});

test('one that failed some times within half a minute and is not asked for hours does not ring', async () => {
  expect(await rungAfter((second) => second < 30, 4 * 3_600)).toBeNull();
});
