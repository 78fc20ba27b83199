import { randomBytes } from 'node:crypto';
import { afterAll } from '@jest/globals';
import {
  cursorCodec,
  type Delivery,
  type DeliveryWithAttempts,
  type EventEnvelope,
  newId,
  type SessionPrincipal,
  type Webhook,
  type WebhookStats,
} from '@waymark/contracts';
import type { RunningService } from '@waymark/service-kit/process';
import type { Database } from '@waymark/service-kit/store';
import {
  type Answer,
  type CallInput,
  type Env,
  eventually,
  type OneService,
  openEventPublisher,
  type ReceivedRequest,
  sampleEvent,
  sessionPrincipal,
  startOne,
  startWebhookReceiver,
  streamOf,
  type WebhookReceiver,
} from '@waymark/testing';
import { startWebhooks, type WebhookSeams } from '../src/service.ts';
import { openStore, type WebhookStore } from '../src/store/index.ts';

export interface WebhookStack extends OneService, AsyncDisposable {
  /** Moves only by advance(). `inMs` returns the time in so many milliseconds, as the API writes it. */
  clock: { ms: number; advance(ms: number): void; inMs(ms: number): string };
  /** Receives the webhooks of these tests. */
  readonly receiver: WebhookReceiver;
  /** For tests that move the clock: retries from earlier tests must not arrive at the same receiver. */
  renewReceiver(): Promise<void>;
  /** Starts another replica on the same stores. */
  replica(env?: Env): Promise<RunningService>;
  /** Stops the first process, as a deployment would, and leaves its data. */
  stopService(): Promise<void>;
  /** The store, as another process would use it. */
  store: WebhookStore;
  /** Holds events in the stream until the returned function is called. */
  holdEvents(): Promise<() => Promise<void>>;
  /** Returns the requests that arrived for an event, once there are `count`. */
  received(eventId: string, count?: number): Promise<ReceivedRequest[]>;
  /** Returns the requests so far of a delivery. */
  requestsOf(deliveryId: string): ReceivedRequest[];
  /** Returns the only event of a type about a record, once it is published. */
  told(type: string, id: string): Promise<EventEnvelope>;
  /** Creates a workspace with its owner. */
  workspace(): Workspace;
  /** Publishes an event as its service would. NATS delivers each copy. */
  publish(event: EventEnvelope, options?: { copies?: number }): Promise<void>;
}

export interface Workspace {
  id: string;
  owner: SessionPrincipal;
  call(method: string, path: string, input?: CallInput): Promise<Answer>;
  createWebhook(url: string, input?: Record<string, unknown>): Promise<Webhook & { secret: string }>;
  /** Publishes an event of this workspace, by default a decision.created of now. */
  publish(overrides?: Partial<EventEnvelope>): Promise<EventEnvelope>;
  publishMany(count: number): Promise<void>;
  /** Returns the deliveries to an endpoint, oldest first, once there are `count` that `check` accepts. */
  deliveries(webhookId: string, count?: number, check?: (delivery: Delivery) => boolean): Promise<Delivery[]>;
  /** Returns the oldest delivery to an endpoint with one attempt, once there is one. */
  firstDelivery(webhookId: string): Promise<Delivery>;
  /** Returns a delivery once it is in `status`. */
  delivery(id: string, status?: Delivery['status']): Promise<DeliveryWithAttempts>;
  /** Returns the counts of an endpoint once they are `expected`. */
  stats(webhookId: string, expected?: Partial<WebhookStats>): Promise<WebhookStats>;
}

const webhookEnvironment = (): Env => ({
  WEBHOOK_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  WEBHOOK_ALLOW_LOOPBACK: 'true',
  WEBHOOK_SWEEP_MS: '20',
  // The longest allowed: on a busy machine an attempt takes seconds, and no retry would follow as the clock
  // stands still.
  WEBHOOK_TIMEOUT_MS: '30000',
});

interface Options {
  env?: Env;
  seams?: WebhookSeams;
  /** How many processes send, 1 by default. */
  replicas?: number;
}

/** Starts a stack for the tests of a file, and stops it after them. */
export async function useWebhookStack(options: Options = {}): Promise<WebhookStack> {
  const stack = await startWebhookStack(options);
  afterAll(() => stack.stop());
  return stack;
}

/**
 * Starts the service on real stores, with a clock that the test moves, a publisher of events and a receiver.
 * `await using` stops them at the end of the block.
 */
export async function startWebhookStack(options: Options = {}): Promise<WebhookStack> {
  const clock = {
    ms: Date.now(),
    advance(ms: number) {
      clock.ms += ms;
    },
    inMs: (ms: number) => new Date(clock.ms + ms).toISOString(),
  };
  const seams: WebhookSeams = { now: () => clock.ms, random: () => 0, ...options.seams };
  let running: RunningService | undefined;
  const start = async (env: Env) => {
    running = await startWebhooks(env, seams);
    return running;
  };
  const one = await startOne(start, {
    env: { ...webhookEnvironment(), ...options.env },
    seams,
  });
  const publisher = await openEventPublisher(one, 'webhooks');
  const stream = streamOf(one.env);
  const replicas: RunningService[] = [];
  let receiver = await startWebhookReceiver();
  const publish: WebhookStack['publish'] = (event, options) => publisher.publish([event], options);

  async function replica(env: Env = {}): Promise<RunningService> {
    const started = await startWebhooks({ ...one.env, ...env }, seams);
    await started.ready;
    replicas.push(started);
    return started;
  }
  for (let n = 1; n < (options.replicas ?? 1); n += 1) await replica();

  async function stop(): Promise<void> {
    // First, or the service waits for requests that the receiver leaves unanswered.
    await receiver.stop();
    await Promise.all(replicas.map((started) => started.stop()));
    await publisher.close();
    await one.stop();
  }

  return {
    ...one,
    clock,
    get receiver() {
      return receiver;
    },
    async renewReceiver() {
      await receiver.stop();
      receiver = await startWebhookReceiver();
    },
    replica,
    stopService: () => running!.stop(),
    store: openStore({
      database: {
        client: one.database.client,
        collection: (name: string) => one.database.collection(name),
        cursors: cursorCodec('tests'),
      } as unknown as Database,
      retentionDays: 30,
    }),
    async holdEvents() {
      const { consumers } = await publisher.nats.manager();
      await consumers.pause(stream.name, 'webhooks', new Date(Date.now() + 60_000));
      return async () => void (await consumers.resume(stream.name, 'webhooks'));
    },
    received: (eventId, count = 1) =>
      eventually(() => {
        const found = receiver.requests.filter(({ body }) => body?.id === eventId);
        if (found.length < count) throw new Error(`${found.length} of ${count} requests`);
        return found;
      }),
    requestsOf: (id) => receiver.requests.filter(({ headers }) => headers['webhook-id'] === id),
    told: (type, id) =>
      eventually(() => {
        const found = one.events.filter((event) => event.type === type && event.subject.id === id);
        if (found.length !== 1) throw new Error(`${found.length} events, not one`);
        return found[0]!;
      }),
    workspace: () => openWorkspace(one, publish, clock),
    publish,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function openWorkspace(
  one: OneService,
  publish: WebhookStack['publish'],
  clock: WebhookStack['clock'],
): Workspace {
  const id = newId();
  const owner = sessionPrincipal({ workspaceId: id });
  const call: Workspace['call'] = (method, path, input) => one.call(owner, method, path, input);

  async function expectOk(answer: Promise<Answer>) {
    const { status, text, body } = await answer;
    if (status >= 300) throw new Error(`answered ${status}: ${text}`);
    return body;
  }

  const publishOne: Workspace['publish'] = async (overrides = {}) => {
    const event = sampleEvent({ workspace_id: id, time: clock.inMs(0), ...overrides });
    await publish(event);
    return event;
  };
  const deliveries: Workspace['deliveries'] = (webhookId, count = 1, check = () => true) =>
    eventually(async () => {
      const { data } = await expectOk(call('GET', `/webhooks/${webhookId}/deliveries?limit=500`));
      const found = (data as Delivery[]).filter(check);
      if (found.length < count) throw new Error(`${found.length} of ${count}: ${JSON.stringify(data)}`);
      return found.toReversed();
    });

  return {
    id,
    owner,
    call,
    createWebhook: (url, input = {}) =>
      expectOk(
        call('POST', '/webhooks', { body: { workspaceId: id, url, events: ['decision.created'], ...input } }),
      ),
    publish: publishOne,
    async publishMany(count) {
      await Promise.all(Array.from({ length: count }, () => publishOne()));
    },
    deliveries,
    firstDelivery: async (webhookId) => (await deliveries(webhookId, 1, ({ attempt }) => attempt === 1))[0]!,
    delivery: (deliveryId, status) =>
      eventually(async () => {
        const found: DeliveryWithAttempts = await expectOk(call('GET', `/deliveries/${deliveryId}`));
        if (status && found.status !== status) throw new Error(`not ${status}: ${JSON.stringify(found)}`);
        return found;
      }),
    stats: (webhookId, expected = {}) =>
      eventually(async () => {
        const stats: WebhookStats = await expectOk(call('GET', `/webhooks/${webhookId}/stats`));
        const wrong = Object.entries(expected).some(([name, n]) => stats[name as keyof WebhookStats] !== n);
        if (wrong) throw new Error(`not ${JSON.stringify(expected)}: ${JSON.stringify(stats)}`);
        return stats;
      }),
  };
}
