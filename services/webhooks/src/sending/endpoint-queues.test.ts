import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Logger } from '@waymark/service-kit/process';
import type { ClaimedDelivery, EndpointRecord, WebhookStore } from '../store/index.ts';
import type { SoleSender } from './endpoint-lease.ts';
import { createLanes, type Lanes } from './endpoint-queues.ts';

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
const turn = () => new Promise((resolve) => setImmediate(resolve));
const hang = () => new Promise<never>(() => undefined);
const claimed = { id: 'delivery', payload: '{}', leasedUntilMs: 30_000 } as ClaimedDelivery;

const anySender: SoleSender = {
  maySend: () => true,
  isAnother: () => false,
  become: async () => true,
  tidy: () => undefined,
  resign: async () => undefined,
};

type Claim = WebhookStore['claims']['claim'];

/** Lanes over a store that is only as real as they need it. */
function open({
  byId = async () => endpoint,
  claim = async () => ({ claimed: [], isMore: false }),
  renew = async () => true,
  attempt = async () => true,
  soleSender = anySender,
}: {
  byId?: (id: string) => Promise<EndpointRecord>;
  claim?: Claim;
  renew?: () => Promise<boolean>;
  attempt?: () => Promise<boolean>;
  soleSender?: SoleSender;
} = {}) {
  const sent: string[] = [];
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
  const lanes = createLanes({
    store,
    async attempt(_, { id }) {
      sent.push(id);
      return attempt();
    },
    settler: { settle: async () => undefined, stop: async () => undefined },
    soleSender,
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
    while (sent.length === 0) await turn();
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

describe('a lane whose endpoint cannot be read', () => {
  it('gives back what waits, for another process', async () => {
    const byId = () => Promise.reject(new Error('the store is away'));
    const { lanes, sent, released } = open({ byId });
    const waiting = ['0', '1'].map((id) => ({ ...claimed, id }));
    await lanes.offer(endpoint, performance.now() - 10_000, waiting);
    while (released.length === 0) await turn();
    expect(released).toEqual(['0', '1']);
    expect(sent).toEqual([]);
  });
});

describe('an endpoint with one sender at a time', () => {
  it('is sent nothing by a process that lost it while it prolonged the lease of a delivery', async () => {
    let isSender = true;
    const renew = async () => {
      isSender = false;
      return true;
    };
    const soleSender = { ...anySender, maySend: () => isSender, become: async () => isSender };
    const { lanes, sent, released } = open({ soleSender, renew });
    await lanes.offer(endpoint, performance.now(), [{ ...claimed, leasedUntilMs: 0 }]);
    while (released.length === 0) await turn();
    expect(released).toEqual(['delivery']);
    expect(sent).toEqual([]);
  });

  it('is sent to as long as this process is that, and what waits is given back when another is', async () => {
    let isSender = true;
    let end: () => void = () => undefined;
    const soleSender = { ...anySender, maySend: () => isSender, become: async () => isSender };
    const attempt = () =>
      new Promise<boolean>((resolve) => {
        end = () => resolve(true);
      });
    const { lanes, sent, released } = open({ soleSender, attempt });
    const waiting = Array.from({ length: 5 }, (_, n) => ({ ...claimed, id: `${n}` }));
    await lanes.offer(endpoint, performance.now(), waiting);
    // Its share of the workspace's eight places.
    expect(sent).toEqual(['0', '1', '2']);
    isSender = false;
    end();
    while (released.length === 0) await turn();
    expect(released).toEqual(['3', '4']);
    expect(sent).toHaveLength(3);
    expect(lanes.fitting([{ endpoint, delivery: claimed }])).toEqual([]);
  });
});

describe('what is due for an endpoint', () => {
  const waiting = Array.from({ length: limits.maxPerSecond + 1 }, (_, n) => ({ ...claimed, id: `${n}` }));
  const quick = async () => true;

  /** Lanes that have sent what they may. */
  async function busy(
    max_per_second: number | null,
    attempt: () => Promise<boolean>,
    soleSender = anySender,
  ): Promise<Lanes> {
    const to = { ...endpoint, max_per_second };
    const { lanes } = open({ byId: async () => to, attempt, soleSender });
    await lanes.offer(to, performance.now(), waiting);
    await turn();
    return lanes;
  }

  it.each([2, limits.maxPerSecond * 2])(
    'waits for its own rate, %i, while that holds it back',
    async (rate) => {
      let nowMs = 1_000_000;
      jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
      const lanes = await busy(rate, quick);
      nowMs += 1_999;
      expect(lanes.isPaced(endpoint.id)).toBe(true);
      nowMs += 1;
      expect(lanes.isPaced(endpoint.id)).toBe(false);
      await lanes.stop();
    },
  );

  it('does not wait for its own rate where it waits for an answer, or for the rate of all', async () => {
    const hanging = await busy(limits.maxPerSecond - 1, hang);
    expect(hanging.isPaced(endpoint.id)).toBe(false);
    const withoutOne = await busy(null, quick);
    expect(withoutOne.isPaced(endpoint.id)).toBe(false);
    await withoutOne.stop();
  });

  it('is for its sender to tell of where that is another process', async () => {
    const lanes = await busy(limits.maxPerSecond - 1, hang, { ...anySender, isAnother: () => true });
    expect(lanes.isPaced(endpoint.id)).toBe(true);
  });
});

describe('memory for payloads', () => {
  const PAYLOAD = 'x'.repeat(200 * 1024);
  const WIDTH = limits.concurrency;
  /** As many as a lane may have in memory, however small they are. */
  const LANE_FULL = WIDTH * 8;

  const endpointOf = (workspace_id: string, id: string): EndpointRecord => ({
    ...endpoint,
    id,
    workspace_id,
  });
  const others = (workspaceId: string, count: number) =>
    Array.from({ length: count }, (_, n) => endpointOf(workspaceId, `${workspaceId} ${n}`));
  const fitting = (lanes: Lanes, to: EndpointRecord, payload: string) =>
    lanes.fitting(Array.from({ length: LANE_FULL }, () => ({ endpoint: to, delivery: { payload } })));

  /** Gives an endpoint as many deliveries as its lane takes; how many. */
  async function fill(lanes: Lanes, to: EndpointRecord, payload: string): Promise<number> {
    const fit = fitting(lanes, to, payload);
    await lanes.offer(
      to,
      performance.now(),
      fit.map(() => ({ ...claimed, payload })),
    );
    return fit.length;
  }

  it('is left for other workspaces, for large payloads too, when all endpoints of one hang', async () => {
    const { lanes } = open({ attempt: hang });
    for (const slow of others('slow', 50)) await fill(lanes, slow, PAYLOAD);
    expect(await fill(lanes, endpointOf('quick', 'large'), PAYLOAD)).toBe(LANE_FULL);
    expect(await fill(lanes, endpointOf('quick', 'small'), '{}')).toBe(LANE_FULL);
  });

  it('is left for the other endpoints of a workspace when one hangs', async () => {
    const { lanes } = open({ attempt: hang });
    const [slow, quick] = others('one', 2);
    expect(await fill(lanes, slow!, PAYLOAD.repeat(10))).toBeLessThan(LANE_FULL);
    expect(await fill(lanes, quick!, PAYLOAD)).toBe(LANE_FULL);
  });

  it('is enough for a large payload, and a lane full of usual ones, when all of twenty workspaces hang', async () => {
    const { lanes } = open({ attempt: hang });
    for (let n = 0; n < 20; n += 1)
      for (const slow of others(`slow ${n}`, 50)) await fill(lanes, slow, PAYLOAD);
    expect(fitting(lanes, endpointOf('quick', 'large'), PAYLOAD)).toHaveLength(1);
    expect(await fill(lanes, endpointOf('quick', 'small'), 'x'.repeat(2_000))).toBe(LANE_FULL);
  });

  it('has an end, however many hang', async () => {
    const { lanes } = open({ attempt: hang });
    let held = 0;
    for (let n = 0; n < 40; n += 1)
      for (const slow of others(`slow ${n}`, 50)) held += await fill(lanes, slow, PAYLOAD);
    expect(held * PAYLOAD.length).toBeLessThanOrEqual(160 * 1024 * 1024);
  });

  it('is shared by lanes that ask the store at once, and theirs again when it is over', async () => {
    const asked: number[] = [];
    const claim: Claim = async (_, { bytes }) => {
      asked.push(bytes);
      await turn();
      return { claimed: asked.length > 50 ? [] : [{ ...claimed, payload: PAYLOAD }], isMore: false };
    };
    const { lanes, sent } = open({ claim });
    const endpoints = others('one', 50);
    const wake = () => {
      for (const { id, workspace_id } of endpoints) lanes.wake({ webhookId: id, workspaceId: workspace_id });
    };
    wake();
    while (sent.length < 50) await turn();
    const inAll = asked.reduce((sum, bytes) => sum + bytes, 0);
    expect(inAll).toBeLessThan(40 * 1024 * 1024);
    await turn();
    wake();
    while (asked.length < 100) await turn();
    expect(asked.slice(50)).toEqual(asked.slice(0, 50));
    await lanes.stop();
  });

  it('that was reserved for a claim is never free before what was claimed has taken it', async () => {
    const [one, other] = others('one', 2);
    const large = 'x'.repeat(10 * 1024 * 1024);
    const room: number[] = [];
    const look = () => room.push(fitting(lanes, other!, PAYLOAD.repeat(4)).length);
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
    const { lanes, sent } = open({ claim, attempt: hang });
    look();
    lanes.wake({ webhookId: one!.id, workspaceId: one!.workspace_id });
    while (sent.length === 0) await turn();
    const [empty, ...during] = room;
    const taken = during.at(-1)!;
    expect(taken).toBeLessThan(empty!);
    expect(during.filter((fit) => fit > taken)).toEqual([]);
  });
});
