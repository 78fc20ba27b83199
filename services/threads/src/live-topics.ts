import { ApiError } from '@waymark/contracts';
import type { CallInternal, RequestContext } from '@waymark/service-kit/http';
import { boundedCache } from '@waymark/service-kit/jobs';
import type { LiveTopic, Topic, TopicKind, TopicReference } from './records.ts';
import { guardKey } from './store/guards.ts';
import type { Store } from './store/index.ts';

export type LiveTopics = ReturnType<typeof createLiveTopics>;
type Deadline = Pick<RequestContext, 'deadlineMs'>;
type ResolvedTopic = TopicReference & { generation?: number | undefined };

const TOPICS_MAX = 100_000;

/**
 * Looks up nodes and decisions; both methods throw NOT_FOUND. Caches each answer of their services until a
 * later one, but never that a record does not exist.
 */
export function createLiveTopics(call: CallInternal, store: Store) {
  const cache = boundedCache<string, ResolvedTopic>(TOPICS_MAX);

  async function resolve({ kind, id }: Topic, timeoutMs: number | undefined) {
    const input = { params: { id } };
    if (kind === 'node') return (await call('resolveNode', input, {}, timeoutMs)).node;
    return (await call('resolveDecision', input, {}, timeoutMs)).decision;
  }

  /** Nothing replaces the answer about a topic that is not cached: waits until the deadline for it. */
  async function lookUp(topic: Topic, deadlineMs = Number.POSITIVE_INFINITY): Promise<ResolvedTopic> {
    const leftMs = Math.max(1, Math.round(deadlineMs - performance.now()));
    const mayWait = Number.isFinite(leftMs) && !cache.get(guardKey(topic));
    const found = await resolve(topic, mayWait ? leftMs : undefined);
    if (!found) {
      cache.delete(guardKey(topic));
      return missing(topic.kind);
    }
    const resolved = { ...found, kind: topic.kind };
    cache.set(guardKey(topic), resolved);
    return resolved;
  }

  /** Returns null for a topic that was deleted and not restored since. */
  async function unlessDeleted(topic: ResolvedTopic): Promise<LiveTopic | null> {
    const generation = Math.max(await store.deletedVersion(topic), topic.generation ?? 0);
    return topic.version > generation ? { ...topic, generation } : null;
  }

  return {
    /** Returns a cached topic if there is one, because the workspace of a record never changes. */
    async find(topic: Topic, { deadlineMs }: Deadline): Promise<LiveTopic> {
      const cached = cache.get(guardKey(topic));
      const found = cached && (await unlessDeleted(cached));
      return found ?? (await unlessDeleted(await lookUp(topic, deadlineMs))) ?? missing(topic.kind);
    },

    /** Asks the service: the event of a deletion may be late. Uses the cache while it is unavailable. */
    async findCurrent(topic: Topic, { deadlineMs }: Partial<Deadline> = {}): Promise<LiveTopic> {
      const cached = cache.get(guardKey(topic));
      const found = await lookUp(topic, deadlineMs).catch(async (error: unknown) => {
        if (!cached || !(error instanceof ApiError) || error.status < 500) throw error;
        if (await unlessDeleted(cached)) return cached;
        // A topic that was deleted may be restored: only its service knows.
        cache.delete(guardKey(topic));
        return lookUp(topic, deadlineMs);
      });
      return (await unlessDeleted(found)) ?? missing(topic.kind);
    },
  };
}

function missing(kind: TopicKind): never {
  throw new ApiError('NOT_FOUND', { message: `There is no such ${kind}.` });
}
