import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { ApiError, jsonOrNull } from '@waymark/contracts';
import { ensureStream } from './event-stream.ts';
import type { Nats } from './nats.ts';

export interface LatestValue {
  key: string;
  value: unknown;
  /** Changes with each value of the key. */
  revision: number;
}

/**
 * Values by key in a stream of NATS, which keeps the latest of each. A key is any text; a bucket of NATS
 * would refuse colons. Each function throws SERVICE_UNAVAILABLE while NATS is away.
 */
export function latestValues(options: { nats: Nats; name: string; subject: string; replicas: number }) {
  const { nats, name, subject, replicas } = options;
  const subjectOf = (key: string) => `${subject}.${encodeURIComponent(key).replaceAll(/[.*]/g, hex)}`;
  const keyOf = (of: string) => decodeURIComponent(of.slice(subject.length + 1));

  async function use<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work().catch(async (error) => {
        if (isStale(error)) throw error;
        // NATS may have lost the stream.
        const every = `${subject}.*`;
        await ensureStream(nats, {
          name,
          subjects: [every],
          max_msgs_per_subject: 1,
          num_replicas: replicas,
        });
        return work();
      });
    } catch (error) {
      if (isStale(error)) throw error;
      throw new ApiError('SERVICE_UNAVAILABLE', { cause: error });
    }
  }

  async function find(query: { last_by_subj: string } | { next_by_subj: string; seq: number }) {
    const message = await use(async () => (await nats.manager()).streams.getMessage(name, query));
    return (
      message && { key: keyOf(message.subject), value: jsonOrNull(message.string()), revision: message.seq }
    );
  }

  return {
    read: (key: string): Promise<LatestValue | null> => find({ last_by_subj: subjectOf(key) }),

    /** Returns the new revision, or null if `revision` is not the latest; 0 means that there is no value. */
    async write(key: string, value: unknown, revision: number): Promise<number | null> {
      const write = async () => {
        const jetstream = nats.jetstream();
        if (!jetstream) throw new Error('NATS is away');
        const expect = { lastSubjectSequence: revision };
        return jetstream.publish(subjectOf(key), JSON.stringify(value), { expect });
      };
      try {
        return (await use(write)).seq;
      } catch (error) {
        if (isStale(error)) return null;
        throw error;
      }
    },

    /** Yields every value, in constant memory. */
    async *all(): AsyncGenerator<LatestValue> {
      for (let seq = 1; ; ) {
        const found = await find({ next_by_subj: `${subject}.*`, seq });
        if (!found) return;
        yield found;
        seq = found.revision + 1;
      }
    },
  };
}

const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

const { StreamWrongLastSequence, StreamWrongLastSequenceUnknown } = JetStreamApiCodes;
const STALE = new Set<number>([StreamWrongLastSequence, StreamWrongLastSequenceUnknown]);
const isStale = (error: unknown) => error instanceof JetStreamApiError && STALE.has(error.code);
