import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { ApiError, type EventEnvelope, type EventType, eventStream, newId } from '@waymark/contracts';
import { consumeEvents, type EventConsumer } from '../src/events/event-consumer.ts';
import { connectNats, type Nats } from '../src/events/nats.ts';
import { openParkedEvents, type ParkedEvent, type ParkedEvents } from '../src/events/parked-events.ts';
import { createLogger } from '../src/process/logger.ts';
import { createMetrics, type Metrics } from '../src/process/metrics.ts';
import { natsServersOf } from '../src/process/nats-servers.ts';
import { openTracing } from '../src/process/tracing.ts';
import { isUnavailable } from '../src/store/database.ts';

const NAME = 'sample';
const prefix = `t${randomBytes(6).toString('hex')}`;
const stream = eventStream(prefix);
const log = createLogger('test', 'silent');
const metrics = createMetrics('audit');
const tracing = openTracing('audit', {} as never, log);

let parked: string[] = [];
let attempts = new Map<string, number>();
/** The handler's behaviour at the nth attempt at an event. */
let behave: (attempt: number) => void = () => undefined;

/** Called with the data of an event that the handler accepts. */
let received: (data: unknown) => unknown = () => undefined;

/** How far the consumer's clock is ahead. */
let aheadMs = 0;
let observer: NatsConnection;
let requests: Subscription;
let nats: Nats;
let consumer: EventConsumer;
let parkedEvents: ParkedEvents;
beforeAll(async () => {
  const url = String(process.env['NATS_URL']);
  observer = await connect({ servers: url });
  const parkings = observer.subscribe(stream.parked(NAME, '*'));
  void (async () => {
    for await (const message of parkings) parked.push(idIn(message.string()));
  })();
  requests = observer.subscribe(`$JS.API.CONSUMER.MSG.NEXT.${stream.name}.${NAME}`, { max: 1 });
  await observer.flush();
  nats = connectNats({ servers: natsServersOf(url), name: 'test', log });
  parkedEvents = await openParkedEvents({ NATS_URL: url, NATS_PREFIX: prefix });
  consumer = consumeAs(NAME, metrics, ({ id, data }) => {
    attempts.set(id, (attempts.get(id) ?? 0) + 1);
    behave(attempts.get(id)!);
    return received(data);
  });
});
afterAll(async () => {
  await consumer.stop();
  const { streams } = await jetstreamManager(observer);
  for (const name of [stream.name, stream.parkedName]) await streams.delete(name);
  await parkedEvents.close();
  await nats.close();
  await observer.close();
});

function consumeAs(name: string, metrics: Metrics, take: (event: EventEnvelope) => unknown): EventConsumer {
  const now = () => Date.now() + aheadMs;
  const checkpoint = () => undefined;
  return consumeEvents(
    { nats, prefix, streamReplicas: 1, metrics, tracing, log, checkpoint, now, isUnavailable, retryMs: 1 },
    { name, handle: async (event) => void (await take(event)) },
  );
}

/** Returns the id of an event, or the whole text if it is not JSON. */
function idIn(text: string): string {
  try {
    return (JSON.parse(text) as EventEnvelope).id;
  } catch {
    return text;
  }
}

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 10));
}

function newEvent(type: string = 'decision.deleted') {
  const id = newId();
  return {
    id: newId(),
    type,
    version: 1,
    time: new Date(0).toISOString(),
    workspace_id: newId(),
    actor: { type: 'service' as const, id: null, name: 'test', key_prefix: null },
    action: null,
    request_id: newId(),
    ip: null,
    user_agent: null,
    subject: { type: 'decision', id, version: 1 },
    data: { id },
    changes: null,
  } satisfies Omit<EventEnvelope, 'type'> & { type: string };
}

async function send(type: string, text: string): Promise<void> {
  await until(() => nats.jetstream() !== null);
  const publishOnce = () => nats.jetstream()!.publish(stream.subject(type as EventType), text);
  await until(() => publishOnce().then(Boolean, () => false));
}

async function publish(type?: string): Promise<string> {
  parked = [];
  attempts = new Map();
  const event = newEvent(type);
  await send(event.type, JSON.stringify(event));
  return event.id;
}

const handled = async (result: string) =>
  (await metrics.eventsHandled.get()).values.find(({ labels }) => labels.result === result)?.value;

describe('a consumer of events', () => {
  it('reports zero parked events before the first, so that alerts see the increase', async () => {
    expect(await handled('parked')).toBe(0);
  });

  it('parks an event that fails twenty times', async () => {
    behave = () => {
      throw new Error('the handler failed');
    };
    const id = await publish();
    await until(() => parked.length > 0);
    expect(parked).toEqual([id]);
    expect(attempts.get(id)).toBe(20);
    await until(async () => (await handled('parked')) === 1);
  });

  it('does not count failures while a store is down', async () => {
    behave = (attempt) => {
      if (attempt <= 30) throw new ApiError('SERVICE_UNAVAILABLE');
      if (attempt <= 35) throw new Error('the handler failed');
    };
    const before = (await handled('handled'))!;
    const id = await publish();
    await until(async () => parked.length > 0 || (await handled('handled')) === before + 1);
    expect(parked).toEqual([]);
    expect(attempts.get(id)).toBe(36);
  });

  it.each([
    ['text that is not JSON', () => 'not JSON'],
    ['a known event whose envelope is invalid', () => JSON.stringify({ ...newEvent(), subject: null })],
    ['an event with text as data', () => JSON.stringify({ ...newEvent(), data: 'deleted' })],
    ['an event with the data of another type', () => JSON.stringify(newEvent('decision.updated'))],
    ['JSON that is not an event', () => 'null'],
    ['an event from 2999', () => JSON.stringify({ ...newEvent(), time: '2999-01-01T00:00:00.000Z' })],
    [
      'an event with the action of another service, which has no operation',
      () => JSON.stringify({ ...newEvent(), action: 'user.erase' }),
    ],
    ['an event on the subject of another type', () => JSON.stringify(newEvent('workflow.deleted'))],
    [
      'an event with the data of another workspace',
      () => JSON.stringify({ ...newEvent('workspace.deleted'), data: { id: newId() } }),
      'workspace.deleted',
    ],
  ])('parks %s at once', async (_, text, type = 'decision.deleted') => {
    parked = [];
    attempts = new Map();
    const sent = text();
    await send(type, sent);
    await until(() => parked.length > 0);
    expect(parked).toEqual([idIn(sent)]);
    expect(attempts.size).toBe(0);
  });

  it('asks for events for 5 s at a time: NATS would send them to a vanished connection for longer', async () => {
    for await (const request of requests) expect(request.json()).toMatchObject({ expires: 5_000_000_000 });
  });

  it('asks NATS for more time while an event is handled', async () => {
    const acknowledgements = observer.subscribe(`$JS.ACK.${stream.name}.${NAME}.>`);
    await observer.flush();
    behave = () => undefined;
    const handled = Promise.withResolvers<void>();
    received = () => handled.promise;
    const id = await publish();
    const words: string[] = [];
    for await (const message of acknowledgements) {
      words.push(message.string());
      handled.resolve();
      if (words.length === 2) break;
    }
    expect(words).toEqual(['+WPI', '+ACK']);
    expect(attempts.get(id)).toBe(1);
  });

  it('passes on what a newer version adds to the data of an event', async () => {
    behave = () => undefined;
    parked = [];
    const seen = Promise.withResolvers<unknown>();
    received = seen.resolve;
    const data = { id: newId(), reason: 'a duplicate' };
    await send('decision.deleted', JSON.stringify({ ...newEvent(), data }));
    expect(await seen.promise).toEqual(data);
    expect(parked).toEqual([]);
  });

  it('is created again when NATS has lost it', async () => {
    behave = () => undefined;
    const before = await publish();
    await until(() => attempts.has(before));
    const { consumers } = await jetstreamManager(observer);
    await consumers.delete(stream.name, NAME);
    const after = await publish();
    await until(() => attempts.has(after));
  });
});

describe('an event of a type that this version does not know', () => {
  const NEW_TYPE = 'decision.reconsidered';
  const DAY_MS = 24 * 3_600_000;

  it('is redelivered, reaches no handler, and is parked after 24 hours', async () => {
    behave = () => undefined;
    const before = (await handled('retried'))!;
    const unknown = await publish(NEW_TYPE);
    await until(async () => (await handled('retried'))! >= before + 3);
    expect(parked).not.toContain(unknown);
    aheadMs = DAY_MS - 60_000;
    const later = (await handled('retried'))!;
    await until(async () => (await handled('retried'))! > later);
    expect(parked).not.toContain(unknown);
    aheadMs = DAY_MS;
    await until(() => parked.includes(unknown));
    aheadMs = 0;
    const [{ event, error }] = (await Array.fromAsync(parkedEvents.list())).slice(-1) as [ParkedEvent];
    expect([event, error]).toEqual([
      { id: unknown, type: NEW_TYPE, workspace_id: expect.any(String) },
      `Error: this version does not know events of the type ${NEW_TYPE}`,
    ]);
    expect(attempts.has(unknown)).toBe(false);
  });

  it('does not block other events, however many wait', async () => {
    behave = () => undefined;
    await Promise.all(
      Array.from({ length: 1_100 }, () => send(NEW_TYPE, JSON.stringify(newEvent(NEW_TYPE)))),
    );
    const { consumers } = await jetstreamManager(observer);
    await until(async () => (await consumers.info(stream.name, NAME)).num_ack_pending >= 1_100);
    const known = await publish();
    await until(() => attempts.has(known));
    const { streams } = await jetstreamManager(observer);
    await streams.purge(stream.name);
  });
});

describe('a parked event', () => {
  const waiting = async () => Array.fromAsync(parkedEvents.list());
  const shown = async () =>
    (await metrics.registry.getSingleMetric('waymark_events_parked')!.get()).values.map(({ value }) => value);

  async function lag(): Promise<number> {
    const { consumers } = await jetstreamManager(observer);
    const { num_pending, num_ack_pending } = await consumers.info(stream.name, NAME);
    return num_pending + num_ack_pending;
  }

  it('is listed and counted until its replay, which only its own consumer handles', async () => {
    for (const { number } of await waiting()) await parkedEvents.discard(number);
    expect(await shown()).toEqual([0]);
    const taken: string[] = [];
    const other = consumeAs('other', createMetrics('search'), ({ id }) => taken.push(id));
    try {
      behave = () => {
        throw new Error('a fault\nof ours, für immer');
      };
      const id = await publish();
      await until(async () => (await waiting()).length === 1);
      const [first] = await waiting();
      expect(first).toMatchObject({
        consumer: NAME,
        event: { id, type: 'decision.deleted' },
        error: 'Error: a fault of ours, f r immer',
      });
      expect(await shown()).toEqual([1]);
      const { config } = await (await jetstreamManager(observer)).streams.info(stream.parkedName);
      expect(config.max_age).toBe(0);

      // An event that still fails gets the same number of attempts again.
      await parkedEvents.replay(first!.number);
      await until(() => attempts.get(id) === 40);
      await until(async () => (await waiting()).length === 1);
      const [second] = await waiting();
      expect(second!.number).toBeGreaterThan(first!.number);

      behave = () => undefined;
      await until(() => taken.includes(id));
      const before = (await handled('handled'))!;
      expect(await parkedEvents.replay(second!.number)).toBe(true);
      await until(async () => (await handled('handled')) === before + 1);
      const last = await publish();
      await until(() => taken.includes(last));
      expect(taken.filter((one) => one === id)).toHaveLength(1);
      expect(await waiting()).toEqual([]);
      expect(await shown()).toEqual([0]);
      expect(await parkedEvents.replay(second!.number)).toBe(false);
    } finally {
      await other.stop();
    }
  });

  it('is parked once however often its consumer reads it, and never after it was discarded', async () => {
    for (const { number } of await waiting()) await parkedEvents.discard(number);
    await send('decision.created', 'no JSON, discarded');
    await until(async () => (await waiting()).length === 1);
    await send('decision.created', 'no JSON, kept');
    await until(async () => (await waiting()).length === 2);
    // Both are then in the stream twice.
    const before = await waiting();
    for (const { number } of before) expect(await parkedEvents.replay(number)).toBe(true);
    await until(
      async () => (await waiting()).filter(({ number }) => number > before[1]!.number).length === 2,
    );
    const [{ number } = { number: 0 }] = await waiting();
    expect(await parkedEvents.discard(number)).toBe(true);
    expect(await parkedEvents.discard(number)).toBe(false);
    const kept = await waiting();
    expect(kept).toHaveLength(1);

    expect(await parkedEvents.refill(NAME)).toBe(true);
    const last = await publish();
    await until(() => attempts.has(last));
    await until(async () => (await lag()) === 0);
    expect(await waiting()).toEqual(kept);
    expect(await shown()).toEqual([1]);
  });
});
