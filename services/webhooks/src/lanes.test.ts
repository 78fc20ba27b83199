import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Logger } from '@waymark/service-kit';
import { createLanes } from './lanes.ts';
import type { ClaimedDelivery, EndpointRecord, WebhookStore } from './store.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const limits = {
  concurrency: 4,
  workspaceConcurrency: 8,
  totalConcurrency: 16,
  maxPerSecond: 100,
  leaseMs: 30_000,
  leaseNeededMs: 15_000,
};
const endpoint = {
  id: 'endpoint',
  workspace_id: 'workspace',
  enabled: true,
  deleted_at: null,
  max_per_second: null,
} as EndpointRecord;
const claimed = { id: 'delivery', payload: '{}', leasedUntilMs: 30_000 } as ClaimedDelivery;

/** Lanes over a store that is only as real as they need it. */
function open({ byId = async () => endpoint }: { byId?: () => Promise<EndpointRecord> } = {}) {
  const sent: string[] = [];
  const released: string[] = [];
  const store = {
    endpoints: { byId },
    claims: {
      async release(given: ClaimedDelivery[]) {
        released.push(...given.map(({ id }) => id));
      },
    },
  } as unknown as WebhookStore;
  const lanes = createLanes({
    store,
    async attempt(_, { id }) {
      sent.push(id);
      return true;
    },
    settler: { settle: async () => undefined, stop: async () => undefined },
    limits,
    now: () => 0,
    log: { warn: () => undefined } as unknown as Logger,
  });
  return { lanes, sent, released };
}

describe('lanes', () => {
  it('send, and stop, where the store takes longer to answer than settings may be old', async () => {
    let nowMs = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const reading = async () => {
      // Lets others run, so that reading for ever fails the test instead of hanging it.
      await new Promise((resolve) => setImmediate(resolve));
      nowMs += 1_500;
      return endpoint;
    };
    const { lanes, sent } = open({ byId: reading });
    await lanes.offer(endpoint, nowMs - 10_000, [claimed]);
    await lanes.stop();
    expect(sent).toEqual(['delivery']);
  });

  it('give back what is leased for them after they were stopped', async () => {
    const { lanes, sent, released } = open();
    await lanes.stop();
    await lanes.offer(endpoint, performance.now(), [claimed]);
    expect(released).toEqual(['delivery']);
    expect(sent).toEqual([]);
  });

  it('give back what is not stored yet when it is: before that there is nothing to release', async () => {
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    const disabled = { ...endpoint, enabled: false };
    const { lanes, sent, released } = open({ byId: async () => disabled });
    await lanes.offer(disabled, performance.now(), [{ ...claimed, stored }]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(released).toEqual([]);
    store();
    await lanes.stop();
    expect(released).toEqual(['delivery']);
    expect(sent).toEqual([]);
  });
});
