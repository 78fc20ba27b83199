import { describe, expect, it } from '@jest/globals';
import type { EndpointRecord, WebhookStore } from '../store/index.ts';
import { createSoleSender } from './endpoint-lease.ts';

const LIMITS = { leaseMs: 30_000, leaseNeededMs: 15_000 };
const T0 = Date.UTC(2026, 0, 1);

/** Processes at the same endpoint, whose clocks the test moves together. */
function start() {
  const stand = { nowMs: T0, writes: 0 };
  const endpoint = { id: 'endpoint', workspace_id: 'workspace', max_per_second: 5 } as EndpointRecord;
  const endpoints: Partial<WebhookStore['endpoints']> = {
    async appointSender(_, sender, now) {
      stand.writes += 1;
      const { sender: before } = endpoint;
      if (before && before.id !== sender.id && before.until > now) return false;
      endpoint.sender = sender;
      return true;
    },
    async resignSender(_, { until }) {
      endpoint.sender!.until = until;
    },
  };
  const store = { endpoints } as WebhookStore;
  const process = () => createSoleSender({ store, ...LIMITS, now: () => stand.nowMs });
  return Object.assign(stand, { endpoint, process });
}

describe('the sender of an endpoint', () => {
  it('is one process, for as long as what it begins is over before another is', async () => {
    const stand = start();
    const { endpoint } = stand;
    const [one, other] = [stand.process(), stand.process()];
    expect(one.maySend(endpoint)).toBe(false);
    expect(await one.become(endpoint)).toBe(true);
    // It has not read yet who the sender is.
    expect(await other.become({ ...endpoint, sender: undefined as never })).toBe(false);
    stand.nowMs = T0 + 15_000;
    expect([one.maySend(endpoint), other.maySend(endpoint)]).toEqual([true, false]);
    stand.nowMs += 1;
    expect(one.maySend(endpoint)).toBe(false);
    stand.nowMs = T0 + 29_999;
    expect(await other.become(endpoint)).toBe(false);
    stand.nowMs = T0 + 30_000;
    expect(await other.become(endpoint)).toBe(true);
    expect([one.maySend(endpoint), other.maySend(endpoint)]).toEqual([false, true]);
  });

  it('stays it by becoming it again', async () => {
    const stand = start();
    const one = stand.process();
    await one.become(stand.endpoint);
    stand.nowMs = T0 + 20_000;
    expect(await one.become(stand.endpoint)).toBe(true);
    one.tidy();
    stand.nowMs = T0 + 35_000;
    expect(one.maySend(stand.endpoint)).toBe(true);
  });

  it('that resigns lets another follow when its last second is over', async () => {
    const stand = start();
    const [one, other] = [stand.process(), stand.process()];
    await one.become(stand.endpoint);
    await one.resign();
    expect(one.maySend(stand.endpoint)).toBe(false);
    stand.nowMs = T0 + 1_999;
    expect(await other.become(stand.endpoint)).toBe(false);
    stand.nowMs = T0 + 2_000;
    expect(await other.become(stand.endpoint)).toBe(true);
  });

  it('costs no write while another is known to be it, and is nobody without a rate of its own', async () => {
    const stand = start();
    const [one, other] = [stand.process(), stand.process()];
    await one.become(stand.endpoint);
    expect(await other.become(stand.endpoint)).toBe(false);
    expect(stand.writes).toBe(1);
    expect([one, other].map(({ isAnother }) => isAnother(stand.endpoint))).toEqual([false, true]);
    stand.nowMs = T0 + 30_000;
    expect(other.isAnother(stand.endpoint)).toBe(false);
    expect(other.maySend({ ...stand.endpoint, max_per_second: null })).toBe(true);
  });
});
