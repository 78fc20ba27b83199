import type { Principal } from '@waymark/contracts';
import {
  ApiError,
  type ApiErrorDetails,
  callersOf,
  type ErrorCode,
  errorOf,
  limits,
  type Operation,
} from '@waymark/contracts';
import { fairShare, inProportion } from '../jobs/fair-share.ts';
import { keyedQueue } from '../jobs/keyed-queue.ts';
import { type WorkerThread, workerThread } from '../jobs/worker-thread.ts';

export interface BodyTask {
  operationId: string;
  raw: Uint8Array;
}
/** JSON costs less to receive than a structured clone, and the schema's output has only JSON in it. */
export type ParsedBody = { json: string } | { refusal: { code: ErrorCode; details: ApiErrorDetails } };

export type LargeBodies = ReturnType<typeof largeBodies>;

const HELD_BYTES_MAX = 4 * limits.graphBodyBytes;
const RETRY_SECONDS = 2;
/** A large request delays the next one by this at most. */
const HOLD_MS = 3_000;
/** The thread's memory is freed after this time without a large body. */
const IDLE_MS = 10_000;

/** A service sends bodies that it has checked, one at a time. */
export const isLarge = (bytes: number, principal: Principal) =>
  bytes > limits.bodyBytes && principal.type !== 'service';

/** Limits what large bodies of clients take: memory as they arrive, and then the event loop and memory. */
export function largeBodies() {
  const held = fairShare<readonly string[]>({
    total: HELD_BYTES_MAX,
    policy: inProportion(1),
    tenantsOf: (callers) => callers,
  });
  const queue = keyedQueue({ holdMs: HOLD_MS });
  let thread: WorkerThread | null = null;
  let idle: NodeJS.Timeout | undefined;

  function openThread(): WorkerThread {
    const opened = workerThread('./body-thread', import.meta.url, () => {
      if (thread === opened) thread = null;
    });
    return opened;
  }

  function endThread(): void {
    if (!thread?.isIdle()) return;
    void thread.terminate();
    thread = null;
  }

  return {
    /** Reserves memory for a body, and returns what frees it. Throws RATE_LIMITED or SERVICE_UNAVAILABLE. */
    reserve(principal: Principal, bytes: number): () => void {
      const callers = callersOf(principal) ?? ['anonymous'];
      const retry = { retryAfterSeconds: RETRY_SECONDS };
      if (held.left() < bytes) throw new ApiError('SERVICE_UNAVAILABLE', retry);
      if (held.allowance(callers) < bytes) {
        const message = 'Too many large requests of this caller are in progress; wait until some have ended.';
        throw new ApiError('RATE_LIMITED', { ...retry, reason: 'concurrency', message });
      }
      held.take(callers, bytes);
      return () => held.give(callers, bytes);
    },
    /** Runs the requests with large bodies one after another. */
    runExclusive: <T>(task: () => Promise<T>): Promise<T> => queue.runExclusive('large', task),
    /** Does what `parseBody` does, in a thread of its own. Empties `raw`. */
    async parse(operation: Operation, raw: Buffer<ArrayBuffer>): Promise<unknown> {
      thread ??= openThread();
      try {
        const parsed = await thread.run<ParsedBody>({ operationId: operation.id, raw }, [raw.buffer]);
        if ('json' in parsed) return JSON.parse(parsed.json);
        throw errorOf(parsed.refusal.code, parsed.refusal.details);
      } finally {
        clearTimeout(idle);
        idle = setTimeout(endThread, IDLE_MS).unref();
      }
    },
    async stop(): Promise<void> {
      clearTimeout(idle);
      await thread?.terminate();
    },
  };
}
