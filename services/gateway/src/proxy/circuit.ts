import { ApiError } from '@waymark/contracts';
import type { Logger } from '@waymark/service-kit/process';
import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/** Keeps a service that does not answer from holding the gateway's requests. */
export interface Circuit {
  /** Throws SERVICE_UNAVAILABLE while no request at all may pass. */
  check(): void;
  /**
   * Runs `work`, or throws SERVICE_UNAVAILABLE while the service is known to be down. `isTrial` when it may still be: only a
   * request that `mayTry` becomes one.
   */
  run(mayTry: boolean, work: (isTrial: boolean) => Promise<void>): Promise<void>;
}

const FAILURES_MAX = 5;
const HALF_OPEN_AFTER_MS = 2_000;
/** Half of what the alert counts in ten minutes, so that a few failures and silence after them do not ring it. */
const QUIET_AFTER_MS = 30_000;

/**
 * Opens after five UpstreamFailures in a row; two seconds later one request tries again. Libraries take every end of a trial
 * for a verdict; here one that says nothing of the service (the client went away) leaves the trial to the next request. Nor do
 * they ask who else was answered: what one caller asks may be slow, and a service that answers others meanwhile is not down.
 * `now` gives milliseconds that never go back.
 */
export function circuit(options: {
  service: string;
  metrics: Pick<GatewayMetrics, 'watchCircuit'>;
  log: Logger;
  now?: () => number;
}): Circuit {
  const { service, log, now = () => performance.now() } = options;
  let failures = 0;
  let openedAtMs: number | null = null;
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  let isTrying = false;
  let refusedAtMs = Number.NEGATIVE_INFINITY;
  // Whether a service is back that nobody asks for, nobody knows: no reason to wake anybody.
  options.metrics.watchCircuit(service, () => openedAtMs !== null && now() - refusedAtMs < QUIET_AFTER_MS);

  function unavailable(cause?: unknown): ApiError {
    refusedAtMs = now();
    return new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: HALF_OPEN_AFTER_MS / 1000, cause });
  }

  function check(): void {
    if (openedAtMs === null) return;
    if (isTrying || now() - openedAtMs < HALF_OPEN_AFTER_MS) throw unavailable();
  }

  function failed({ kind }: UpstreamFailure, startedAtMs: number, isTrial: boolean): void {
    if (!isTrial && kind === 'timeout' && answeredAtMs > startedAtMs) return;
    failures += 1;
    if (!isTrial && (openedAtMs !== null || failures < FAILURES_MAX)) return;
    openedAtMs = now();
    log.warn({ upstream: service }, 'circuit opened');
  }

  function answered(isTrial: boolean): void {
    answeredAtMs = now();
    // What was under way when it opened is no news by the time it ends.
    if (openedAtMs === null || isTrial) failures = 0;
    if (!isTrial) return;
    openedAtMs = null;
    log.info({ upstream: service }, 'circuit closed');
  }

  return {
    check,
    async run(mayTry, work) {
      check();
      const isTrial = openedAtMs !== null;
      if (isTrial && !mayTry) throw unavailable();
      isTrying ||= isTrial;
      const startedAtMs = now();
      try {
        await work(isTrial);
        answered(isTrial);
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        failed(error, startedAtMs, isTrial);
        throw unavailable(error);
      } finally {
        if (isTrial) isTrying = false;
      }
    },
  };
}
