import { ApiError } from '@waymark/contracts';
import { UpstreamFailure } from '@waymark/service-kit/http';
import type { Logger } from '@waymark/service-kit/process';
import type { GatewayMetrics } from '../gateway-metrics.ts';

const FAILURES_MAX = 5;
const HALF_OPEN_AFTER_MS = 2_000;
/** After this time without requests the gauge is 0, so that a few failures before silence fire no alert. */
const QUIET_AFTER_MS = 30_000;

/**
 * Opens after five UpstreamFailures in a row; two seconds later one request tries again. Unlike in libraries,
 * the next request tries when the client of a trial has gone, and a timeout does not count when the service
 * answered another request meanwhile. `now` returns monotonic milliseconds.
 */
export function circuitBreaker(options: {
  service: string;
  metrics: Pick<GatewayMetrics, 'watchCircuit'>;
  log: Logger;
  now: () => number;
}) {
  const { service, log, now } = options;
  let failures = 0;
  let openedAtMs: number | null = null;
  let respondedAtMs = Number.NEGATIVE_INFINITY;
  let isTrying = false;
  let refusedAtMs = Number.NEGATIVE_INFINITY;
  // Without requests nobody knows whether the service is back, so the gauge does not alert.
  options.metrics.watchCircuit(() => openedAtMs !== null && now() - refusedAtMs < QUIET_AFTER_MS, service);

  function unavailable(cause?: unknown): ApiError {
    refusedAtMs = now();
    return new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: HALF_OPEN_AFTER_MS / 1000, cause });
  }

  function recordFailure({ kind }: UpstreamFailure, startedAtMs: number, isTrial: boolean): void {
    if (!isTrial && kind === 'timeout' && respondedAtMs > startedAtMs) return;
    failures += 1;
    if (!isTrial && (openedAtMs !== null || failures < FAILURES_MAX)) return;
    openedAtMs = now();
    log.warn({ upstream: service }, 'circuit opened');
  }

  function recordResponse(isTrial: boolean): void {
    respondedAtMs = now();
    // A response to a request that began before the circuit opened does not prove that the service is back.
    if (openedAtMs === null || isTrial) failures = 0;
    if (!isTrial) return;
    openedAtMs = null;
    log.info({ upstream: service }, 'circuit closed');
  }

  /** Throws SERVICE_UNAVAILABLE while no request may pass. */
  function check(): void {
    if (openedAtMs === null) return;
    if (isTrying || now() - openedAtMs < HALF_OPEN_AFTER_MS) throw unavailable();
  }

  return {
    check,
    /** Runs `work`, whose UpstreamFailures count. Throws SERVICE_UNAVAILABLE while the circuit is open. */
    async run(work: (isTrial: boolean) => Promise<void>): Promise<void> {
      check();
      const isTrial = openedAtMs !== null;
      isTrying ||= isTrial;
      const startedAtMs = now();
      try {
        await work(isTrial);
        recordResponse(isTrial);
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        recordFailure(error, startedAtMs, isTrial);
        throw unavailable(error);
      } finally {
        if (isTrial) isTrying = false;
      }
    },
  };
}
