import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { EventEnvelope } from '@waymark/contracts';
import { ensureEventStream } from '@waymark/service-kit/events';
import { natsServersOf } from '@waymark/service-kit/process';
import { type Env, streamOf } from './test-environment.ts';

export interface EventWatch {
  /** Every event published since the watch began, each id once. */
  events: EventEnvelope[];
  nats: NatsConnection;
  stop(): Promise<void>;
}

/**
 * Creates the stream of an environment and collects its events; a republished event appears once. With the
 * subscription and no stream, publications of the first moment would wait for an answer until they time out.
 */
export async function watchEvents(env: Env): Promise<EventWatch> {
  const nats = await connect({ ...natsServersOf(String(env['NATS_URL'])), maxReconnectAttempts: -1 });
  await ensureEventStream({ manager: () => jetstreamManager(nats) }, String(env['NATS_PREFIX']), 1);
  const subscription = nats.subscribe(streamOf(env).everySubject);
  const events: EventEnvelope[] = [];
  const seen = new Set<string>();
  void (async () => {
    for await (const message of subscription) {
      const event = parseEvent(message);
      if (event && !seen.has(event.id)) events.push(event);
      if (event) seen.add(event.id);
    }
  })();
  await nats.flush();
  return { events, nats, stop: () => nats.close() };
}

/** Returns null for invalid messages, which tests publish to see them parked. */
function parseEvent(message: Msg): EventEnvelope | null {
  try {
    return message.json<EventEnvelope>();
  } catch {
    return null;
  }
}

/** Removes the streams of an environment from the shared NATS. */
export async function deleteStream(watch: EventWatch, env: Env): Promise<void> {
  const manager = await jetstreamManager(watch.nats);
  const { name, parkedName, auditHeadsName, positionsName } = streamOf(env);
  for (const each of [name, parkedName, auditHeadsName, positionsName])
    await manager.streams.delete(each).catch(() => undefined);
}
