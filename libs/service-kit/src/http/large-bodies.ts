import {
  type ApiErrorDetails,
  type ErrorCode,
  errorOf,
  limits,
  type Operation,
  type Principal,
} from '@waymark/contracts';
import { createAdmission, type Tenants } from '../jobs/admission.ts';
import { type WorkerThread, workerThread } from '../jobs/worker-thread.ts';
import type { Metrics } from '../process/metrics.ts';

export interface BodyTask {
  operationId: string;
  raw: Uint8Array;
}
/** JSON costs less to receive than a structured clone, and the schema's output has only JSON in it. */
export type ParsedBody = { json: string } | { refusal: { code: ErrorCode; details: ApiErrorDetails } };

export type LargeBodies = ReturnType<typeof largeBodies>;

/** Requests with a large body that are read and handled at once; others wait before they are read. */
const AT_ONCE = 2;
/** The thread's memory is freed after this time without a large body. */
const IDLE_MS = 10_000;

/** A service sends bodies that it has checked, one at a time. */
export const isLarge = (bytes: number, principal: Principal) =>
  bytes > limits.bodyBytes && principal.type !== 'service';

/** Limits how much memory, and time of the event loop, large bodies of clients take. */
export function largeBodies(metrics: Pick<Metrics, 'admission'>) {
  const requests = createAdmission({
    ...metrics.admission('large_requests'),
    what: 'large requests',
    total: AT_ONCE,
    small: 1,
    most: 1,
  });
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
    /** Waits until a large request may be read. Returns the function that lets the next one begin. */
    admit: (tenants: Tenants, untilMs: number, gone?: AbortSignal): Promise<() => void> =>
      requests.wait(tenants, untilMs, gone && { gone }),
    /**
     * Does what `parseBody` does, in a thread: the largest graph, of 14 MB, takes half a second (measured).
     * The service would serve nobody else meanwhile. Empties `raw`.
     */
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
