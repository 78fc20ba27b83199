import type { EndpointRecord, WebhookStore } from '../store/index.ts';
import type { SoleSender } from './endpoint-lease.ts';
import type { Lane } from './endpoint-queue.ts';

/** How long before something is to be sent the reading of its endpoint's settings may have begun. */
const SETTINGS_AGE_MS = 1_000;
/** A store that takes longer than that to answer is waited for: its answer is good for this long. */
const LATE_ANSWER_MS = 100;

/** Whether this process may send to an endpoint. */
export interface Readiness {
  /** As far as it knows, and it knows well enough. */
  isReady(lane: Lane): boolean;
  /** After a look into the store; where it may not, `refused` has run. */
  prepare(lane: Lane): Promise<boolean>;
}

/** The endpoint of a lane, if it takes deliveries as far as was read. */
export function openEndpoint({ endpoint }: Lane): EndpointRecord | null {
  return endpoint?.enabled && endpoint.deleted_at === null ? endpoint : null;
}

/** Takes note of an endpoint whose reading began at `readAtMs` (performance.now). */
export function noteEndpoint(lane: Lane, endpoint: EndpointRecord | null, readAtMs: number): void {
  if (readAtMs <= lane.readAtMs) return;
  Object.assign(lane, { endpoint, readAtMs, freshUntilMs: readAtMs + SETTINGS_AGE_MS });
}

const isFresh = (lane: Lane) => lane.readAtMs > lane.changedAtMs && performance.now() < lane.freshUntilMs;

export function createReadiness(options: {
  store: WebhookStore;
  soleSender: SoleSender;
  refused: (lane: Lane) => Promise<void>;
}): Readiness {
  const { store, soleSender, refused } = options;

  async function refresh(lane: Lane): Promise<void> {
    while (!isFresh(lane)) {
      const readAtMs = performance.now();
      noteEndpoint(lane, await store.endpoints.byId(lane.webhookId), readAtMs);
      lane.freshUntilMs = Math.max(lane.freshUntilMs, performance.now() + LATE_ANSWER_MS);
    }
  }

  async function look(lane: Lane): Promise<boolean> {
    await refresh(lane);
    const endpoint = openEndpoint(lane);
    if (endpoint && (soleSender.maySend(endpoint) || (await soleSender.become(endpoint)))) return true;
    await refused(lane);
    return false;
  }

  return {
    isReady(lane) {
      const endpoint = openEndpoint(lane);
      return endpoint !== null && isFresh(lane) && soleSender.maySend(endpoint);
    },
    prepare(lane) {
      lane.preparing ??= look(lane).finally(() => {
        lane.preparing = undefined;
      });
      return lane.preparing;
    },
  };
}
