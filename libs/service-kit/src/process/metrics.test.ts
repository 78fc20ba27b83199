import { describe, expect, it } from '@jest/globals';
import { createMetrics } from './metrics.ts';

const LAG = 'nodejs_eventloop_lag_p99_seconds';

describe('createMetrics', () => {
  it('takes over the metrics of Node from a service of the same name that was stopped, and only those', () => {
    const [first, restarted, other] = [
      createMetrics('audit'),
      createMetrics('audit'),
      createMetrics('search'),
    ];
    const of = ({ registry }: typeof first, name: string) => registry.getSingleMetric(name);
    expect(of(first, LAG)).toBeDefined();
    expect(of(restarted, LAG)).toBe(of(first, LAG));
    expect(of(other, LAG)).not.toBe(of(first, LAG));
    expect(of(restarted, 'waymark_build_info')).not.toBe(of(first, 'waymark_build_info'));
  });

  it('labels them with the service', async () => {
    const { registry } = createMetrics('threads');
    expect(await registry.metrics()).toContain(`${LAG}{service="threads"}`);
  });
});
