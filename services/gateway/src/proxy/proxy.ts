import { callersOf, internalHeaders, type Operation } from '@waymark/contracts';
import { clientNetwork } from '@waymark/service-kit/http';
import type { Exchange } from '../exchange/exchange.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { concurrencyLimiter } from './concurrency-limiter.ts';
import { attemptSender, type ProxyAttempt, type SenderOptions } from './proxy-attempt.ts';
import { bodyBuffered, isReceived } from './request-body.ts';
import { ClientGone, UpstreamFailure } from './upstream-failure.ts';
import { upstreamHeaders, upstreamUrl } from './upstream-request.ts';
import { type Replica, upstreams } from './upstreams.ts';

export type ServiceProxy = ReturnType<typeof createProxy>;

/** The timeout of a trial request, so that its client does not wait long for a service that is still down. */
const TRIAL_TIMEOUT_MS = 2_000;
const RECONNECT_LIMIT_MS = 2_000;
const IN_FLIGHT_MAX = 512;

/** A proxy to the replicas in `urls`, with its own connections, circuit and concurrency limit. */
export function createProxy(
  options: SenderOptions & {
    urls: string;
    answerTimeoutMs: number;
    signInCookies: Readonly<Record<string, string>>;
    now: () => number;
  },
) {
  const { service, answerTimeoutMs, bodyTimeoutMs, metrics, log } = options;
  const replicas = upstreams(service, options.urls, options.now);
  const breaker = circuitBreaker({ service, metrics, log, now: options.now });
  const sender = attemptSender(replicas, options);
  const limiter = concurrencyLimiter(IN_FLIGHT_MAX, (reason) =>
    metrics.concurrencyRefused.inc({ upstream: service, reason }),
  );

  /** Tries replicas until one answers: always again if nothing was sent, once more for an unanswered GET. */
  async function tryReplicas(request: Omit<ProxyAttempt, 'replica'>): Promise<void> {
    const { exchange, operation } = request;
    const startedAtMs = performance.now();
    const attemptsMax = Math.max(2, replicas.count);
    const tried: Replica[] = [];
    let wasReset = false;
    for (let number = 1; ; number += 1) {
      const replica = (replicas.next(tried) ?? replicas.next([]))!;
      try {
        return await sender.send({ ...request, replica });
      } catch (error) {
        if (!(error instanceof UpstreamFailure) || exchange.response.destroyed) throw error;
        const { kind } = error;
        metrics.upstreamErrors.inc({ upstream: service, kind });
        if (kind !== 'reset') replicas.avoid(replica);
        const mayRepeat = kind === 'connect' || (kind === 'reset' && operation.method === 'GET' && !wasReset);
        wasReset ||= kind === 'reset';
        const isLate = performance.now() - startedAtMs > RECONNECT_LIMIT_MS;
        if (!mayRepeat || isLate || number >= attemptsMax) throw error;
        tried.push(replica);
        // Each attempt adds listeners.
        exchange.response.setMaxListeners(0);
      }
    }
  }

  function checkCapacity({ response }: Exchange, callers: readonly string[]): void {
    if (response.destroyed) throw new ClientGone();
    breaker.check();
    limiter.check(callers);
  }

  return {
    /** Resolves when the answer has begun. Throws ApiError, or ClientGone. `identities` are headers. */
    async forward(
      exchange: Exchange,
      operation: Operation,
      identities: Readonly<Record<string, string>>,
    ): Promise<void> {
      const { request, response } = exchange;
      const callers = callersOf(exchange.principal) ?? [clientNetwork(exchange.clientAddress)];
      checkCapacity(exchange, callers);
      if (!isReceived(exchange, operation)) {
        if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
        await bodyBuffered(request, bodyTimeoutMs);
        checkCapacity(exchange, callers);
      }
      request.headers = upstreamHeaders(exchange, operation, identities, options.signInCookies);
      request.url = upstreamUrl(operation, exchange);
      limiter.take(callers);
      response.on('close', () => limiter.give(callers));
      await breaker.run(isReceived(exchange, operation), (isTrial) => {
        const timeoutMs = isTrial ? Math.min(answerTimeoutMs, TRIAL_TIMEOUT_MS) : answerTimeoutMs;
        request.headers[internalHeaders.timeoutMs] = String(timeoutMs);
        return tryReplicas({ exchange, operation, answerTimeoutMs: timeoutMs });
      });
    },
    close: sender.close,
  };
}
