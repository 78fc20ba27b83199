import { type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { EventEnvelope, eventStream, jsonOrNull } from '@waymark/contracts';
import { z } from 'zod';
import { connectOperator } from './connect-operator.ts';
import { readStreamAgain } from './event-stream.ts';

const SUBJECT = 'Waymark-Subject';
const ERROR = 'Waymark-Error';
const ERROR_CHARACTERS_MAX = 500;

/** The header with the only consumer that a replayed event is for; the others have handled the event. */
export const REPLAYED_FOR = 'Waymark-Replayed-For';

/** The header with an event's place in the stream before it was parked. */
export const ORIGINAL_SEQUENCE = 'Waymark-Sequence';

/** The headers of a replayed event with the id and the number under which it was parked. */
const PARKED_AS = 'Waymark-Parked-As';
export const PARKED_NUMBER = 'Waymark-Parked-Number';

/** The id of an event in all its deliveries, also when it was replayed. Streams number events anew. */
export const parkedIdOf = (
  { headers, seq }: Pick<JsMsg, 'headers' | 'seq'>,
  streamCreatedAt: string,
): string => headers?.get(PARKED_AS) || `${Date.parse(streamCreatedAt)}-${seq}`;

/** Earlier versions parked events without an id. */
function partsOf(subject: string, prefix: string) {
  const [consumer = '', id] = subject.slice(`${prefix}.parked.`.length).split('.');
  return { consumer, id, isDiscarded: consumer === 'discarded' };
}

/** Returns how many events are parked by consumer, from the number of messages by subject. */
export function countParked(bySubject: Readonly<Record<string, number>>, prefix: string) {
  const counts: Record<string, number> = {};
  for (const [subject, count] of Object.entries(bySubject)) {
    const { consumer, isDiscarded } = partsOf(subject, prefix);
    if (!isDiscarded) counts[consumer] = (counts[consumer] ?? 0) + count;
  }
  return counts;
}

/** Returns the headers of a parked event: its original subject and place, and the error. */
export function parkedHeaders({ subject, seq, headers: given }: JsMsg, error: unknown): MsgHdrs {
  const made = headers();
  made.set(SUBJECT, subject);
  made.set(ORIGINAL_SEQUENCE, given?.get(ORIGINAL_SEQUENCE) || String(seq));
  // A header must be one line of ASCII.
  const line = textOf(error).replaceAll(/[^ -~]+/g, ' ');
  made.set(ERROR, line.slice(0, ERROR_CHARACTERS_MAX));
  return made;
}

/** An event that does not fit its schema: each field with what is wrong with it. */
function textOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return String(error);
  const fields = error.issues.map(({ path, message }) =>
    [path.map(String).join('.'), message].filter(Boolean),
  );
  return `does not fit its schema: ${fields.map((field) => field.join(' ')).join('; ')}`;
}

/** The type is a string, because this version may not know it. */
const ParkedEnvelope = EventEnvelope.pick({ id: true, workspace_id: true }).extend({ type: z.string() });

export interface ParkedEvent {
  /** Identifies the event for replay and discard. */
  number: number;
  consumer: string;
  parkedAt: Date;
  /** Null when the event is malformed. */
  event: z.output<typeof ParkedEnvelope> | null;
  error: string;
}

export type ParkedEvents = Awaited<ReturnType<typeof openParkedEvents>>;

/** Opens the parked events of an installation. Throws EnvironmentError or SERVICE_UNAVAILABLE. */
export async function openParkedEvents(env: Record<string, string | undefined>) {
  const { nats, natsPrefix } = await connectOperator(env);
  const { name: eventsName, parkedName, discarded } = eventStream(natsPrefix);
  const { streams } = await jetstreamManager(nats);
  async function find(number: number) {
    const message = await streams.getMessage(parkedName, { seq: number });
    if (!message) return null;
    const { isDiscarded, ...parts } = partsOf(message.subject, natsPrefix);
    return isDiscarded ? null : { message, ...parts };
  }
  const drop = (number: number) => streams.deleteMessage(parkedName, number, false);

  return {
    /** Lists all parked events, oldest first. */
    async *list(): AsyncGenerator<ParkedEvent> {
      const { state } = await streams.info(parkedName);
      for (let number = Math.max(1, state.first_seq); number <= state.last_seq; number += 1) {
        const found = await find(number);
        if (!found) continue;
        const { message, consumer } = found;
        yield {
          number,
          consumer,
          parkedAt: message.time,
          event: ParkedEnvelope.safeParse(jsonOrNull(message.string())).data ?? null,
          error: message.header.get(ERROR),
        };
      }
    },
    /** Publishes an event again for its consumer and deletes it here; false if the number does not exist. */
    async replay(number: number): Promise<boolean> {
      const found = await find(number);
      if (!found) return false;
      const { message, consumer, id } = found;
      const to = headers();
      to.set(REPLAYED_FOR, consumer);
      if (id) to.set(PARKED_AS, id);
      to.set(PARKED_NUMBER, String(number));
      to.set(ORIGINAL_SEQUENCE, message.header.get(ORIGINAL_SEQUENCE));
      // After a crash here the event is replayed again, which is safe: consumers are idempotent.
      await jetstream(nats).publish(message.header.get(SUBJECT), message.data, { headers: to });
      return drop(number);
    },
    /** Deletes an event, which is not parked again; false if the number does not exist. */
    async discard(number: number): Promise<boolean> {
      const found = await find(number);
      if (!found) return false;
      if (found.id) await jetstream(nats).publish(discarded(found.consumer, found.id));
      return drop(number);
    },
    /** Lets a consumer read all events of the stream again; false if there is no such consumer. */
    async refill(consumer: string): Promise<boolean> {
      const manager = await jetstreamManager(nats);
      for await (const { name } of manager.consumers.list(eventsName)) {
        if (name !== consumer) continue;
        await readStreamAgain(manager, natsPrefix, consumer);
        return true;
      }
      return false;
    },
    close: () => nats.close(),
  };
}
