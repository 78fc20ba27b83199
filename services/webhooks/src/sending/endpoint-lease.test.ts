import { describe, expect, it } from '@jest/globals';
import type { EndpointRecord, WebhookStore } from '../store/index.ts';
import { createEndpointLeases } from './endpoint-lease.ts';

const LIMITS = { leaseMs: 30_000, leaseNeededMs: 15_000 };
const T0 = Date.UTC(2026, 0, 1);

/** Processes that send to the same endpoint; the test moves their clocks together. */
function start() {
  const stand = { nowMs: T0, writes: 0 };
  const endpoint = {
    id: 'endpoint',
    workspace_id: 'workspace',
    max_per_second: 5,
    sender: null,
  } as EndpointRecord;
  const endpoints: Partial<WebhookStore['endpoints']> = {
    async acquireLease(_, sender, now) {
      stand.writes += 1;
      const { sender: before } = endpoint;
      if (before && before.id !== sender.id && before.until > now) return false;
      endpoint.sender = sender;
      return true;
    },
    async shortenLeases(_, { until }) {
      endpoint.sender!.until = until;
    },
  };
  const store = { endpoints } as WebhookStore;
  const process = () => createEndpointLeases({ store, ...LIMITS, now: () => stand.nowMs });
  return Object.assign(stand, { endpoint, process });
}

describe('a lease on an endpoint', () => {
  it('is held by one process, and its attempts end before another process acquires it', async () => {
    const stand = start();
    const { endpoint } = stand;
    const [one, other] = [stand.process(), stand.process()];
    expect(one.maySend(endpoint)).toBe(false);
    expect(await one.acquire(endpoint)).toBe(true);
    // This process has not read the lease yet.
    expect(await other.acquire({ ...endpoint, sender: null })).toBe(false);
    stand.nowMs = T0 + 15_000;
    expect([one.maySend(endpoint), other.maySend(endpoint)]).toEqual([true, false]);
    stand.nowMs += 1;
    expect(one.maySend(endpoint)).toBe(false);
    stand.nowMs = T0 + 29_999;
    expect(await other.acquire(endpoint)).toBe(false);
    stand.nowMs = T0 + 30_000;
    expect(await other.acquire(endpoint)).toBe(true);
    expect([one.maySend(endpoint), other.maySend(endpoint)]).toEqual([false, true]);
  });

  it('is prolonged by acquiring it again', async () => {
    const stand = start();
    const one = stand.process();
    await one.acquire(stand.endpoint);
    stand.nowMs = T0 + 20_000;
    expect(await one.acquire(stand.endpoint)).toBe(true);
    stand.nowMs = T0 + 35_000;
    expect(one.maySend(stand.endpoint)).toBe(true);
  });

  it('costs no write while another process is known to hold it, and is not needed without an own rate', async () => {
    const stand = start();
    const [one, other] = [stand.process(), stand.process()];
    await one.acquire(stand.endpoint);
    expect(await other.acquire(stand.endpoint)).toBe(false);
    expect(stand.writes).toBe(1);
    expect([one, other].map(({ isHeldElsewhere }) => isHeldElsewhere(stand.endpoint))).toEqual([false, true]);
    stand.nowMs = T0 + 30_000;
    expect(other.isHeldElsewhere(stand.endpoint)).toBe(false);
    expect(other.maySend({ ...stand.endpoint, max_per_second: null })).toBe(true);
  });
});
