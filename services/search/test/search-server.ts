import { afterAll } from '@jest/globals';
import type { EventEnvelope, SearchHits } from '@waymark/contracts';
import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { type Env, type EventPublisher, keyPrincipal, openEventPublisher, startOne } from '@waymark/testing';
import { startSearch } from '../src/service.ts';

type Query = Record<string, string | number | undefined>;

/** Starts the search service on real stores for the tests of a file, with a publisher of events. */
export async function searchServer({ env = {}, seams = {} }: { env?: Env; seams?: Seams } = {}) {
  const replicas: RunningService[] = [];
  const one = await startOne(startSearch, { env, seams });
  const publisher = await openEventPublisher(one, 'search');
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await publisher.close();
    await one.stop();
  });

  const stand = {
    one,
    // biome-ignore lint/suspicious/noExplicitAny: documents of every shape
    collection: (name: string) => one.database.collection<any>(name),
    publish: (...call: Parameters<EventPublisher['publish']>) => publisher.publish(...call),
    /** Waits until every event published so far is projected. */
    projected: () => publisher.settled(),
    /** Projects events one after another. */
    async project(...events: EventEnvelope[]): Promise<void> {
      for (const event of events) {
        await stand.publish([event]);
        await stand.projected();
      }
    },
    /** Searches with a key of the workspace, at a given replica or the first one. */
    ask: (workspaceId: string, query: Query, { url }: { url: string } = one) =>
      one.callAt(url, keyPrincipal({ workspace_id: workspaceId }), 'GET', '/search', {
        query: { workspaceId, ...query },
      }),
    /** The same search; it must succeed. */
    async search(workspaceId: string, q: string, query: Query = {}, replica?: RunningService) {
      const { status, body, text } = await stand.ask(workspaceId, { q, ...query }, replica);
      if (status !== 200) throw new Error(`search answered ${status}: ${text}`);
      return body as SearchHits;
    },
    /** Returns the titles of all hits of the first page, by group. */
    async titles(workspaceId: string, q: string, query: Query = {}): Promise<string[]> {
      const { nodes, decisions, workflows } = await stand.search(workspaceId, q, query);
      return [...nodes, ...decisions, ...workflows].map(({ title }) => title);
    },
    /** Returns the ids of all decisions that are found, over all pages. */
    async everyDecision(workspaceId: string, q: string, replica?: RunningService): Promise<Set<string>> {
      const seen = new Set<string>();
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = { limit: 400, ...(cursor && { cursor }) };
        const page: SearchHits = await stand.search(workspaceId, q, query, replica);
        for (const { id } of page.decisions) seen.add(id);
        cursor = page.next_cursors.decisions;
      }
      return seen;
    },
    /** Starts another replica on the same stores. */
    async startReplica(): Promise<RunningService> {
      const replica = await startSearch(one.env, seams);
      await replica.ready;
      replicas.push(replica);
      return replica;
    },
  };
  return stand;
}
