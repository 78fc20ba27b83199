import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually, sampleEvent } from '@waymark/testing';
import type { ClaimedDelivery, DeliveryRecord } from '../store/index.ts';
import { createFanOut } from './fan-out.ts';

const LEASE_MS = 60_000;

/** Fans out to one endpoint, over a minimal store; `store` is the outcome of a commit. */
function start(store: () => Promise<void>) {
  const workspace_id = newId();
  const created_at = new Date(0).toISOString();
  const settings = { events: ['decision.created'], enabled: true, created_at };
  const endpoint = { id: newId(), workspace_id, ...settings, created_after: { stream: 'now', sequence: 5 } };
  const stand = {
    workspace_id,
    endpoints: [{ ...endpoint, version: 1 }],
    nowMs: Date.now(),
    offered: [] as ClaimedDelivery[],
    written: [] as DeliveryRecord[],
    stored: 0,
  };
  const insertNew = async (records: DeliveryRecord[], beforeCommit: (fresh: Set<string>) => void) => {
    stand.written.push(...structuredClone(records));
    const fresh = new Set(records.map(({ id }) => id));
    beforeCommit(fresh);
    await store();
    stand.stored += records.length;
    return fresh;
  };
  const offer = async (_: unknown, __: unknown, claimed: ClaimedDelivery) => {
    stand.offered.push(claimed);
  };
  const handle = createFanOut({
    store: { endpoints: { ofWorkspaces: async () => stand.endpoints }, deliveries: { insertNew } } as never,
    queues: { fitting: (deliveries: unknown[]) => deliveries, offer } as never,
    maxAttempts: 5,
    leaseMs: LEASE_MS,
    now: () => stand.nowMs,
  });
  return Object.assign(stand, {
    handle: (position = { stream: 'now', sequence: 6 }) =>
      handle(sampleEvent({ workspace_id }), undefined, position),
  });
}

describe('an event', () => {
  it('is for the endpoints that were created before it in the stream, whatever the clocks say', async () => {
    const stand = start(async () => undefined);
    stand.endpoints[0]!.created_at = new Date(Date.now() + 3_600_000).toISOString();
    await stand.handle({ stream: 'now', sequence: 5 });
    expect(stand.stored).toBe(0);
    await stand.handle({ stream: 'now', sequence: 6 });
    expect(stand.stored).toBe(1);
    // NATS has lost the stream, and sequences begin again.
    await stand.handle({ stream: 'new', sequence: 1 });
    expect(stand.stored).toBe(2);
  });

  it('is for an endpoint that is hours older, also where NATS was set back and sequences repeat', async () => {
    const stand = start(async () => undefined);
    stand.endpoints[0]!.created_at = new Date(Date.now() - 3 * 3_600_000).toISOString();
    await stand.handle({ stream: 'now', sequence: 1 });
    expect(stand.stored).toBe(1);
  });

  it('is sent once when its commit fails, and left to redelivery when that outlasts the lease', async () => {
    const stand = start(() => Promise.reject(new Error('away')));
    const handled = stand.handle();
    await eventually(() => expect(stand.written.length).toBeGreaterThan(1));
    stand.nowMs += LEASE_MS;
    await expect(handled).rejects.toThrow('away');
    const [sent, ...others] = stand.offered;
    expect(others).toEqual([]);
    await sent!.stored;
    expect(new Set(stand.written.map(({ lease }) => lease))).toEqual(new Set([sent!.lease]));
  });
});
