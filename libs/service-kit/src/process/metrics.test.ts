import { describe, expect, it } from '@jest/globals';
import { createMetrics } from './metrics.ts';

const LAG = 'nodejs_eventloop_lag_p99_seconds';

describe('createMetrics', () => {
  it('shares the metrics of Node with the other services of the process, and only those', () => {
    const [first, other] = [createMetrics('audit'), createMetrics('search')];
    const of = ({ registry }: typeof first, name: string) => registry.getSingleMetric(name);
    expect(of(first, LAG)).toBeDefined();
    expect(of(other, LAG)).toBe(of(first, LAG));
    expect(of(other, 'waymark_build_info')).not.toBe(of(first, 'waymark_build_info'));
  });

  it('labels them with the service', async () => {
    const { registry } = createMetrics('threads');
    expect(await registry.metrics()).toContain(`${LAG}{service="threads"}`);
  });
});
