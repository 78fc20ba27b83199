import { ApiError } from '@waymark/contracts';
import type { Logger } from '@waymark/service-kit';
import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleType } from 'cockatiel';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/** Keeps a service that does not answer from holding the gateway's requests. */
export interface Circuit {
  /** Runs `work`, or throws SERVICE_UNAVAILABLE while the service is known to be down; `isTrial` when it may still be. */
  run(work: (isTrial: boolean) => Promise<void>): Promise<void>;
}

const FAILURES_MAX = 5;
const HALF_OPEN_AFTER_MS = 2_000;

/** Opens after five UpstreamFailures in a row; two seconds later one request tries again. */
export function circuit(options: { service: string; metrics: GatewayMetrics; log: Logger }): Circuit {
  const { service, log } = options;
  const gauge = options.metrics.circuitOpen.labels(service);
  gauge.set(0);
  const policy = circuitBreaker(handleType(UpstreamFailure), {
    halfOpenAfter: HALF_OPEN_AFTER_MS,
    breaker: new ConsecutiveBreaker(FAILURES_MAX),
  });
  policy.onStateChange((state) => {
    gauge.set(state === CircuitState.Closed ? 0 : 1);
    if (state === CircuitState.Open) log.warn({ upstream: service }, 'circuit opened');
    if (state === CircuitState.Closed) log.info({ upstream: service }, 'circuit closed');
  });
  return {
    async run(work) {
      // The policy would let others wait for the one that tries.
      if (policy.state === CircuitState.HalfOpen) throw unavailable();
      try {
        await policy.execute(() => work(policy.state === CircuitState.HalfOpen));
      } catch (error) {
        if (error instanceof UpstreamFailure || error instanceof BrokenCircuitError) throw unavailable(error);
        throw error;
      }
    },
  };
}

function unavailable(cause?: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: HALF_OPEN_AFTER_MS / 1000, cause });
}
