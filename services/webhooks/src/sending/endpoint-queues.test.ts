import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createMetrics, type Logger } from '@waymark/service-kit/process';
import type { ClaimedDelivery, EndpointRecord, WebhookStore } from '../store/index.ts';
import type { EndpointLeases } from './endpoint-lease.ts';
import { createEndpointQueues, type EndpointQueues } from './endpoint-queues.ts';

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
const tick = () => new Promise((resolve) => setImmediate(resolve));
const ticks = async () => {
  for (let n = 0; n < 20; n += 1) await tick();
};
const hang = () => new Promise<never>(() => undefined);
const claimed = { id: 'delivery', payload: '{}', leasedUntilMs: 30_000 } as ClaimedDelivery;

const heldLeases: EndpointLeases = {
  maySend: () => true,
  isHeldElsewhere: () => false,
  acquire: async () => true,
  release: async () => undefined,
};

async function offerAll(
  queues: EndpointQueues,
  to: EndpointRecord,
  readAtMs: number,
  waiting: ClaimedDelivery[],
): Promise<void> {
  for (const one of waiting) await queues.offer(to, readAtMs, one);
}

type Claim = WebhookStore['claims']['claim'];

/** Queues over a minimal store. */
function open({
  byId = async () => endpoint,
  claim = async () => ({ claimed: [], isMore: false }),
  renew = async () => true,
  attempt = async () => true,
  leases = heldLeases,
  settle = async () => undefined,
}: {
  byId?: (id: string) => Promise<EndpointRecord>;
  claim?: Claim;
  renew?: () => Promise<boolean>;
  attempt?: () => Promise<boolean>;
  leases?: EndpointLeases;
  settle?: () => Promise<undefined>;
} = {}) {
  const sent: string[] = [];
  const urls: string[] = [];
  const released: string[] = [];
  const store = {
    endpoints: { byId },
    claims: {
      claim,
      renew,
      async release(given: ClaimedDelivery[]) {
        released.push(...given.map(({ id }) => id));
      },
    },
  } as unknown as WebhookStore;
  const queues = createEndpointQueues({
    store,
    async attempt({ url }, { id }) {
      sent.push(id);
      urls.push(url);
      return attempt();
    },
    settler: { settle, settleSoon: () => undefined, stop: async () => undefined },
    leases,
    canSign: () => true,
    limits,
    metrics: createMetrics('test'),
    now: () => 0,
    log: { warn: () => undefined } as unknown as Logger,
  });
  return { queues, sent, urls, released };
}

describe('queues', () => {
  it('send, and stop, when the store takes longer to answer than settings may be old', async () => {
    let nowMs = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const reading = async () => {
      // Lets others run, so that reading for ever fails the test instead of hanging it.
      await new Promise((resolve) => setImmediate(resolve));
      nowMs += 1_500;
      return endpoint;
    };
    const { queues, sent } = open({ byId: reading });
    await queues.offer(endpoint, nowMs - 10_000, claimed);
    while (sent.length === 0) await tick();
    await queues.stop();
    expect(sent).toEqual(['delivery']);
  });

  it('release a lease that they are offered after they stopped', async () => {
    const { queues, sent, released } = open();
    await queues.stop();
    await queues.offer(endpoint, performance.now(), claimed);
    expect(released).toEqual(['delivery']);
    expect(sent).toEqual([]);
  });

  it('release the lease on a delivery only after it is stored', async () => {
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    const disabled = { ...endpoint, enabled: false };
    const { queues, sent, released } = open({ byId: async () => disabled });
    await queues.offer(disabled, performance.now(), { ...claimed, stored });
    await new Promise((resolve) => setImmediate(resolve));
    expect(released).toEqual([]);
    store();
    await queues.stop();
    expect(released).toEqual(['delivery']);
    expect(sent).toEqual([]);
  });
});

describe('a queue whose endpoint cannot be read', () => {
  it('releases the leases on waiting deliveries, for another process', async () => {
    const byId = () => Promise.reject(new Error('the store is away'));
    const { queues, sent, released } = open({ byId });
    const waiting = ['0', '1'].map((id) => ({ ...claimed, id }));
    await offerAll(queues, endpoint, performance.now() - 10_000, waiting);
    while (released.length < 2) await tick();
    expect(released).toEqual(['0', '1']);
    expect(sent).toEqual([]);
  });
});

describe('a delivery is sent at once, without the sweep,', () => {
  const once = (): Claim => {
    const due = [claimed];
    return async () => ({ claimed: due.splice(0), isMore: false });
  };

  it('that becomes due while others of the disabled endpoint are being held', async () => {
    let { enabled } = endpoint;
    const held = Promise.withResolvers<undefined>();
    const settle = jest.fn(() => held.promise);
    const { queues, sent } = open({ byId: async () => ({ ...endpoint, enabled }), claim: once(), settle });
    enabled = false;
    await queues.offer({ ...endpoint, enabled }, performance.now(), { ...claimed, id: 'before' });
    while (settle.mock.calls.length === 0) await tick();
    enabled = true;
    queues.invalidate(endpoint.id);
    queues.wake(endpoint);
    held.resolve(undefined);
    await ticks();
    expect(sent).toEqual(['delivery']);
  });

  it('that becomes due just after another process has enabled its endpoint', async () => {
    let enabled = false;
    const { queues, sent } = open({ byId: async () => ({ ...endpoint, enabled }), claim: once() });
    queues.wake(endpoint);
    await ticks();
    enabled = true;
    queues.wake(endpoint);
    await ticks();
    expect(sent).toEqual(['delivery']);
  });

  it('to the new address, when that changed while its lease was prolonged', async () => {
    let url = 'old';
    const renew = async () => {
      url = 'new';
      queues.invalidate(endpoint.id);
      return true;
    };
    const { queues, urls, released } = open({
      byId: async () => ({ ...endpoint, url }),
      claim: once(),
      renew,
    });
    await queues.offer({ ...endpoint, url }, performance.now(), { ...claimed, leasedUntilMs: 0 });
    await ticks();
    expect([released, urls]).toEqual([['delivery'], ['new']]);
  });
});

describe('an endpoint with a lease', () => {
  it('is sent nothing by a process that lost it while it prolonged the lease on a delivery', async () => {
    let isHolder = true;
    const renew = async () => {
      isHolder = false;
      return true;
    };
    const leases = { ...heldLeases, maySend: () => isHolder, acquire: async () => isHolder };
    const { queues, sent, released } = open({ leases, renew });
    await queues.offer(endpoint, performance.now(), { ...claimed, leasedUntilMs: 0 });
    while (released.length === 0) await tick();
    expect(released).toEqual(['delivery']);
    expect(sent).toEqual([]);
  });

  it('is sent to while this process holds it; the leases on waiting deliveries are released when another does', async () => {
    let isHolder = true;
    let end: () => void = () => undefined;
    const leases = { ...heldLeases, maySend: () => isHolder, acquire: async () => isHolder };
    const attempt = () =>
      new Promise<boolean>((resolve) => {
        end = () => resolve(true);
      });
    const { queues, sent, released } = open({ leases, attempt });
    const waiting = Array.from({ length: 5 }, (_, n) => ({ ...claimed, id: `${n}` }));
    await offerAll(queues, endpoint, performance.now(), waiting);
    // Half of the workspace's eight attempts at once.
    expect(sent).toEqual(['0', '1', '2', '3']);
    isHolder = false;
    end();
    while (released.length === 0) await tick();
    expect(released).toEqual(['4']);
    expect(sent).toHaveLength(4);
    expect(queues.fitting([{ endpoint, delivery: claimed }])).toEqual([]);
  });
});

describe('attempts', () => {
  it.each([
    ['user who has', () => ({ created_by: 'one' })],
    ['network whose users have', (n: number) => ({ created_by: `user ${n}`, created_from: 'one' })],
  ])('are left for others beside one %s endpoints in many workspaces', async (_, creatorOf) => {
    const { queues, sent } = open({ attempt: hang });
    const offer = (workspace_id: string, id: string, creator: Partial<EndpointRecord>) => {
      const to = { ...endpoint, id: workspace_id, workspace_id, ...creator };
      const waiting = Array.from({ length: 4 }, () => ({ ...claimed, id }));
      return offerAll(queues, to, performance.now(), waiting);
    };
    for (let n = 0; n < 10; n += 1) await offer(`workspace ${n}`, 'theirs', creatorOf(n));
    await offer('another workspace', 'mine', { created_by: 'other', created_from: 'other' });
    expect(sent.filter((id) => id === 'theirs')).toHaveLength(limits.totalConcurrency / 2);
    expect(sent.filter((id) => id === 'mine')).toHaveLength(4);
  });
});

describe('a due delivery', () => {
  const waiting = Array.from({ length: limits.maxPerSecond + 1 }, (_, n) => ({ ...claimed, id: `${n}` }));
  const quick = async () => true;

  /** Queues that have sent as much as they may. */
  async function busy(
    max_per_second: number | null,
    attempt: () => Promise<boolean>,
    leases = heldLeases,
  ): Promise<EndpointQueues> {
    const to = { ...endpoint, max_per_second };
    const { queues } = open({ byId: async () => to, attempt, leases });
    await offerAll(queues, to, performance.now(), waiting);
    await tick();
    return queues;
  }

  it.each([2, limits.maxPerSecond * 2])(
    'counts as paced while the own rate of its endpoint, %i, delays it',
    async (rate) => {
      let nowMs = 1_000_000;
      jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
      const queues = await busy(rate, quick);
      nowMs += 1_999;
      expect(queues.isPaced(endpoint.id)).toBe(true);
      nowMs += 1;
      expect(queues.isPaced(endpoint.id)).toBe(false);
      await queues.stop();
    },
  );

  it('does not count as paced when it waits for an answer, or for the rate of the installation', async () => {
    const hanging = await busy(limits.maxPerSecond - 1, hang);
    expect(hanging.isPaced(endpoint.id)).toBe(false);
    const withoutOne = await busy(null, quick);
    expect(withoutOne.isPaced(endpoint.id)).toBe(false);
    await withoutOne.stop();
  });

  it('counts as paced when another process sends to the endpoint', async () => {
    const queues = await busy(limits.maxPerSecond - 1, hang, { ...heldLeases, isHeldElsewhere: () => true });
    expect(queues.isPaced(endpoint.id)).toBe(true);
  });
});

describe('memory for payloads', () => {
  const PAYLOAD = 'x'.repeat(200 * 1024);
  const WIDTH = limits.concurrency;
  /** The most deliveries of a queue in memory, however small they are. */
  const QUEUE_FULL = WIDTH * 8;

  const endpointOf = (workspace_id: string, id: string): EndpointRecord => ({
    ...endpoint,
    id,
    workspace_id,
  });
  const others = (workspaceId: string, count: number) =>
    Array.from({ length: count }, (_, n) => endpointOf(workspaceId, `${workspaceId} ${n}`));
  const fitting = (queues: EndpointQueues, to: EndpointRecord, payload: string) =>
    queues.fitting(Array.from({ length: QUEUE_FULL }, () => ({ endpoint: to, delivery: { payload } })));

  /** Offers a queue as many deliveries as fit, and returns how many. */
  async function fill(queues: EndpointQueues, to: EndpointRecord, payload: string): Promise<number> {
    const fit = fitting(queues, to, payload);
    const leased = fit.map(() => ({ ...claimed, payload }));
    await offerAll(queues, to, performance.now(), leased);
    return fit.length;
  }

  it('is left for other workspaces, also for large payloads, when all endpoints of one hang', async () => {
    const { queues } = open({ attempt: hang });
    for (const slow of others('slow', 50)) await fill(queues, slow, PAYLOAD);
    expect(await fill(queues, endpointOf('quick', 'large'), PAYLOAD)).toBe(QUEUE_FULL);
    expect(await fill(queues, endpointOf('quick', 'small'), '{}')).toBe(QUEUE_FULL);
  });

  it('is left for the other endpoints of a workspace when one hangs', async () => {
    const { queues } = open({ attempt: hang });
    const [slow, quick] = others('one', 2);
    expect(await fill(queues, slow!, PAYLOAD.repeat(10))).toBeLessThan(QUEUE_FULL);
    expect(await fill(queues, quick!, PAYLOAD)).toBe(QUEUE_FULL);
  });

  it('is enough for a large payload, and a queue full of usual ones, when all of twenty workspaces hang', async () => {
    const { queues } = open({ attempt: hang });
    for (let n = 0; n < 20; n += 1)
      for (const slow of others(`slow ${n}`, 50)) await fill(queues, slow, PAYLOAD);
    expect(fitting(queues, endpointOf('quick', 'large'), PAYLOAD)).toHaveLength(5);
    expect(await fill(queues, endpointOf('quick', 'small'), 'x'.repeat(2_000))).toBe(QUEUE_FULL);
  });

  it('is shared by queues that claim at the same time, and available again afterwards', async () => {
    const asked: number[] = [];
    const claim: Claim = async (_, { bytes }) => {
      asked.push(bytes);
      await tick();
      return { claimed: asked.length > 50 ? [] : [{ ...claimed, payload: PAYLOAD }], isMore: false };
    };
    const { queues, sent } = open({ claim });
    const endpoints = others('one', 50);
    const wake = () => {
      for (const one of endpoints) queues.wake(one);
    };
    wake();
    while (sent.length < 50) await tick();
    await tick();
    wake();
    while (asked.length < 100) await tick();
    expect(asked.slice(50)).toEqual(asked.slice(0, 50));
    await queues.stop();
  });

  it('that was reserved for a claim is never free before the claimed deliveries take it', async () => {
    const [one, other, ...more] = others('one', 11);
    const large = 'x'.repeat(1024 * 1024);
    const room: number[] = [];
    const look = () => room.push(fitting(queues, other!, PAYLOAD.repeat(4)).length);
    async function lookOften(): Promise<void> {
      for (let n = 0; n < 20; n += 1) {
        await null;
        look();
      }
    }
    const claim: Claim = async () => {
      void lookOften();
      return { claimed: [{ ...claimed, payload: large }], isMore: false };
    };
    const { queues } = open({ claim, attempt: hang });
    for (const slow of more) await fill(queues, slow, PAYLOAD);
    look();
    queues.wake(one!);
    while (room.length < 21) await tick();
    await tick();
    look();
    const [empty, ...during] = room;
    const taken = during.at(-1)!;
    expect(taken).toBeLessThan(empty!);
    expect(during.filter((fit) => fit > taken)).toEqual([]);
  });
});
