import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { sampleEvent } from '../../test/webhook-stack.ts';
import type { DeliveryRecord } from '../store/index.ts';
import { createFanOut } from './fan-out.ts';

describe('an event', () => {
  it('is for the endpoints that were created before it in the stream, whatever the clocks say', async () => {
    const workspace_id = newId();
    const settings = { id: newId(), workspace_id, events: ['decision.created'], enabled: true };
    const created_at = new Date(Date.now() + 3_600_000).toISOString();
    const endpoint = { ...settings, created_at, created_after: { stream: 'now', sequence: 5 } };
    const stored: DeliveryRecord[] = [];
    const insertNew = async (records: DeliveryRecord[]) => {
      stored.push(...records);
      return new Set();
    };
    const handle = createFanOut({
      store: { endpoints: { ofWorkspaces: async () => [endpoint] }, deliveries: { insertNew } } as never,
      queues: { fitting: () => [] } as never,
      maxAttempts: 5,
      leaseMs: 60_000,
      now: Date.now,
    });
    const event = sampleEvent({ workspace_id });
    await handle(event, undefined, { stream: 'now', sequence: 5 });
    expect(stored).toHaveLength(0);
    await handle(event, undefined, { stream: 'now', sequence: 6 });
    expect(stored).toHaveLength(1);
    // NATS has lost the stream, and sequences begin again.
    await handle(event, undefined, { stream: 'new', sequence: 1 });
    expect(stored).toHaveLength(2);
  });
});
