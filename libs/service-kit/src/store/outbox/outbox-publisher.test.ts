import { expect, it } from '@jest/globals';
import { createLogger } from '../../process/logger.ts';
import { createMetrics } from '../../process/metrics.ts';
import { outboxPublisher } from './outbox-publisher.ts';
import type { OutboxRow } from './outbox-row.ts';

it('counts the events that NATS does not acknowledge', async () => {
  const metrics = createMetrics('decisions');
  let isFull = true;
  const publish = async () => {
    if (isFull) throw new Error('timeout');
  };
  const publisher = outboxPublisher({
    nats: { jetstream: () => ({ publish }) },
    prefix: 'waymark',
    metrics,
    log: createLogger('decisions', 'silent'),
  } as never);
  const row = { _id: '1', type: 'decision.created', payload: '{}' } as OutboxRow;
  expect(await publisher.send(row, 'commit')).toBe(false);
  isFull = false;
  expect(await publisher.send(row, 'sweep')).toBe(true);
  expect(await metrics.registry.metrics()).toMatch(/^waymark_outbox_publish_failed_total\{.*\} 1$/m);
});
