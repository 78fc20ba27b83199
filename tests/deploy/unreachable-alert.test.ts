import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { UpstreamFailure } from '@waymark/service-kit/http';
import { createLogger } from '@waymark/service-kit/process';
import { parse } from 'yaml';
import { circuitBreaker } from '../../services/gateway/src/proxy/circuit-breaker.ts';

const file = join(findRepositoryRoot(), 'deploy/helm/waymark/files/alerts.yaml');
const { expr } = parse(readFileSync(file, 'utf8')).groups[0].rules.find(
  ({ alert }: { alert: string }) => alert === 'WaymarkServiceUnreachable',
);
const [, secondsEach, windowMinutes, stepSeconds, refusedSeconds] = expr
  .match(/^(\d+) \* sum_over_time\(max by .*\[(\d+)m:(\d+)s\]\) > (\d+)$/)
  .map(Number);

/**
 * Returns the second at which the alert fires if an unreachable service is called at the seconds that `asked`
 * selects; null if it does not fire.
 */
async function firingSecond(
  asked: (second: number) => boolean,
  untilSeconds: number,
): Promise<number | null> {
  let second = 0;
  let isRefusing: () => unknown = () => false;
  const metrics = {
    watchCircuit: (read: () => unknown) => {
      isRefusing = read;
    },
  };
  const log = createLogger('gateway', 'silent');
  const { run } = circuitBreaker({ service: 'transfer', metrics, log, now: () => second * 1000 });
  const samples: number[] = [];
  for (; second < untilSeconds; second += 1) {
    if (asked(second))
      await run(() => Promise.reject(new UpstreamFailure('reset', 'cut off'))).catch(() => {});
    if (second % stepSeconds === 0) samples.push(isRefusing() ? 1 : 0);
    const counted = samples.slice((-windowMinutes * 60) / stepSeconds);
    if (counted.reduce((sum, sample) => sum + sample, 0) * secondsEach > refusedSeconds) return second;
  }
  return null;
}

test('the seconds per sample are the interval between samples', () => expect(secondsEach).toBe(stepSeconds));

test('a service with constant calls triggers the alert after a minute', async () => {
  expect(await firingSecond(() => true, 3_600)).toBeLessThan(90);
});

test.each([40, 60, 120, 180])(
  'a service with a call every %i s triggers the alert at the third refusal',
  async (seconds) => {
    const opened = 4 * seconds;
    const fired = await firingSecond((second) => second % seconds === 0, 3_600);
    expect(fired).toBeGreaterThan(opened + 60);
    expect(fired).toBeLessThanOrEqual(opened + 2 * seconds + 30);
  },
);

test('a service with failures in half a minute and then no calls for hours does not trigger the alert', async () => {
  expect(await firingSecond((second) => second < 30, 4 * 3_600)).toBeNull();
});
