import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { ApiError, type EventEnvelope, eventStream, newId } from '@waymark/contracts';
import { consumeEvents, type EventConsumer } from '../src/event-consumer.ts';
import { createLogger } from '../src/logger.ts';
import { createMetrics } from '../src/metrics.ts';
import { connectNats, type Nats } from '../src/nats.ts';
import { openTracing } from '../src/tracing.ts';

const NAME = 'sample';
const prefix = `t${randomBytes(6).toString('hex')}`;
const stream = eventStream(prefix);
const log = createLogger('test', 'silent');
const metrics = createMetrics('audit');
const tracing = openTracing('audit', {} as never, log);

let parked: string[] = [];
let attempts = new Map<string, number>();
/** What the handler makes of the nth attempt at an event. */
let behave: (attempt: number) => void = () => undefined;

let observer: NatsConnection;
let nats: Nats;
let consumer: EventConsumer;
beforeAll(async () => {
  const url = String(process.env['NATS_URL']);
  observer = await connect({ servers: url });
  const parkings = observer.subscribe(stream.parked(NAME));
  void (async () => {
    for await (const message of parkings) parked.push(message.json<EventEnvelope>().id);
  })();
  await observer.flush();
  nats = connectNats({ url, name: 'test', log });
  consumer = consumeEvents(
    { nats, prefix, streamReplicas: 1, metrics, tracing, log, checkpoint: () => undefined, retryMs: 1 },
    {
      name: NAME,
      async handle({ id }) {
        attempts.set(id, (attempts.get(id) ?? 0) + 1);
        behave(attempts.get(id)!);
      },
    },
  );
});
afterAll(async () => {
  await consumer.stop();
  await (await jetstreamManager(observer)).streams.delete(stream.name);
  await nats.close();
  await observer.close();
});

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function publish(): Promise<string> {
  parked = [];
  attempts = new Map();
  const event: EventEnvelope = {
    id: newId(),
    type: 'decision.updated',
    version: 1,
    time: new Date(0).toISOString(),
    workspace_id: newId(),
    actor: { type: 'service', id: null, name: 'test', key_prefix: null },
    action: null,
    request_id: newId(),
    ip: null,
    user_agent: null,
    subject: { type: 'decision', id: newId(), version: 1 },
    data: {},
    changes: null,
  };
  await until(() => nats.jetstream() !== null);
  const publishOnce = () => nats.jetstream()!.publish(stream.subject(event.type), JSON.stringify(event));
  await until(() => publishOnce().then(Boolean, () => false));
  return event.id;
}

const handled = async (result: string) =>
  (await metrics.eventsHandled.get()).values.find(({ labels }) => labels.result === result)?.value;

describe('a consumer of events', () => {
  it('shows the number of parked events before there is one, so that the first is seen to be more', async () => {
    expect(await handled('parked')).toBe(0);
  });

  it('parks an event that fails twenty times', async () => {
    behave = () => {
      throw new Error('a fault of ours');
    };
    const id = await publish();
    await until(() => parked.length > 0);
    expect(parked).toEqual([id]);
    expect(attempts.get(id)).toBe(20);
    await until(async () => (await handled('parked')) === 1);
  });

  it('does not hold what was away against an event, however often it came meanwhile', async () => {
    behave = (attempt) => {
      if (attempt <= 30) throw new ApiError('SERVICE_UNAVAILABLE');
      if (attempt <= 35) throw new Error('a fault of ours');
    };
    const before = (await handled('handled'))!;
    const id = await publish();
    await until(async () => parked.length > 0 || (await handled('handled')) === before + 1);
    expect(parked).toEqual([]);
    expect(attempts.get(id)).toBe(36);
  });
});
