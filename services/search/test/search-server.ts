import { BASE_PATH, type EventEnvelope, internalHeaders, type SearchResult } from '@waymark/contracts';
import { baseEnvironment, type RunningService, readEnvironment } from '@waymark/service-kit/process';
import { openRuntime, type Seams } from '@waymark/service-kit/runtime';
import {
  type Answer,
  type Env,
  eventually,
  httpCall,
  keyPrincipal,
  type OneService,
  startOne,
  streamOf,
  testIdentity,
} from '@waymark/testing';
import { startSearch } from '../src/service.ts';

type Query = Record<string, string | number | undefined>;

export interface SearchServer extends OneService {
  publish(events: EventEnvelope[], options?: { copies?: number }): Promise<void>;
  /** Waits until every event published so far is projected. */
  projected(): Promise<void>;
  /** A successful search with a key of the workspace, by a given replica or the first one. */
  search(workspaceId: string, q: string, query?: Query, replica?: RunningService): Promise<SearchResult>;
  /** The same search with any outcome. */
  ask(workspaceId: string, query: Query, replica?: RunningService): Promise<Answer>;
  /** Starts another replica on the same stores. */
  startReplica(): Promise<RunningService>;
}

/** Starts the search service on real stores, with a publisher of events. */
export async function startSearchServer(options: { env?: Env; seams?: Seams } = {}): Promise<SearchServer> {
  const one = await startOne(startSearch, options);
  const replicas: RunningService[] = [];
  const peer = openRuntime('decisions', readEnvironment(baseEnvironment('decisions'), one.env));
  const identity = testIdentity();
  const stream = streamOf(one.env);
  let copy = 0;
  let published = 0;
  const consumer = async () => (await peer.nats.manager()).consumers.info(stream.name, 'search');
  await eventually(consumer);

  const ask: SearchServer['ask'] = async (workspaceId, query, replica) => {
    const token = await identity.sign(keyPrincipal({ workspace_id: workspaceId }), 'search');
    return httpCall((replica ?? one).url, 'GET', `${BASE_PATH}/search`, {
      query: { workspaceId, ...query },
      headers: { [internalHeaders.identity]: token },
    });
  };

  return {
    ...one,
    ask,
    async publish(events, { copies = 1 } = {}) {
      const all = Array.from({ length: copies }, () => events).flat();
      copy += 1;
      const acks = await Promise.all(
        all.map((event, i) => {
          const msgID = `${event.id}-${copy}-${i}`;
          return peer.nats.jetstream()!.publish(stream.subject(event.type), JSON.stringify(event), { msgID });
        }),
      );
      published = Math.max(published, ...acks.map(({ seq }) => seq));
    },
    projected: () =>
      eventually(async () => {
        const { num_pending, num_ack_pending, delivered } = await consumer();
        // NATS acknowledges an event before its consumers count it as pending.
        const isCounted = delivered.stream_seq >= published;
        if (!isCounted || num_pending + num_ack_pending > 0)
          throw new Error(`${num_pending + num_ack_pending} to come, at least`);
      }),
    async search(workspaceId, q, query = {}, replica) {
      const { status, body, text } = await ask(workspaceId, { q, ...query }, replica);
      if (status !== 200) throw new Error(`search answered ${status}: ${text}`);
      return body;
    },
    async startReplica() {
      const replica = await startSearch(one.env, options.seams);
      await replica.ready;
      replicas.push(replica);
      return replica;
    },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await peer.close();
      await one.stop();
    },
  };
}
