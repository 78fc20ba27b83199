import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ApiError, internalHeaders, limits, type Operation } from '@waymark/contracts';
import type { Logger } from '@waymark/service-kit';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { circuit } from './circuit.ts';
import type { Exchange } from './exchange.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { relayAnswer } from './relay-answer.ts';
import { upstreamAgent } from './upstream-agent.ts';
import { ClientGone, UpstreamFailure } from './upstream-failure.ts';
import { takesBody, upstreamHeaders, upstreamUrl } from './upstream-request.ts';
import { type Replica, upstreams } from './upstreams.ts';

/** The way to one service. */
export interface ServiceProxy {
  /** Passes a request on; resolves when the answer has begun, throws SERVICE_UNAVAILABLE, PAYLOAD_TOO_LARGE, ClientGone. */
  forward(exchange: Exchange, operation: Operation, identityToken: string): Promise<void>;
  close(): void;
}

/** One try at one replica. */
interface Attempt {
  exchange: Exchange;
  operation: Operation;
  replica: Replica;
  answerTimeoutMs: number;
  isAnswered: boolean;
  headerTimer: NodeJS.Timeout | undefined;
  succeed: () => void;
  fail: (error: unknown) => void;
}

const ANSWER_TIMEOUT_MS = 10_000;
/** For the request that tries a service which was down a moment ago: its client should not pay for the finding. */
const TRIAL_TIMEOUT_MS = 2_000;
const IDLE_TIMEOUT_MS = 60_000;
const RECONNECT_LIMIT_MS = 2_000;
const IN_FLIGHT_MAX = 512;

/** A proxy to the replicas in `urls`, with connections, a circuit and a share of the gateway of its own. */
export function createProxy(options: {
  service: string;
  urls: string;
  now: () => number;
  metrics: GatewayMetrics;
  log: Logger;
}): ServiceProxy {
  const { service, metrics, log } = options;
  const replicas = upstreams(service, options.urls, options.now);
  const breaker = circuit({ service, metrics, log });
  const agent = upstreamAgent();
  const attempts = new WeakMap<IncomingMessage, Attempt>();
  let inFlight = 0;

  const listenToProxy: Plugin = (server) => {
    server.on('proxyReq', (upstreamRequest, request) => watchRequest(attempts.get(request), upstreamRequest));
    server.on('proxyRes', (upstreamResponse, request) => onAnswer(attempts.get(request), upstreamResponse));
    server.on('error', (error, request) => request && onError(attempts.get(request), error));
    server.on('econnreset', (_, request) => attempts.get(request)?.fail(new ClientGone()));
  };
  const pass = createProxyMiddleware({
    target: replicas.next([])!.target,
    router: (request, _, passOptions) => {
      const attempt = attempts.get(request)!;
      if (attempt.exchange.sendsBody && !takesBody(attempt.operation) && passOptions)
        passOptions.buffer = noBody();
      return attempt.replica.target;
    },
    agent,
    selfHandleResponse: true,
    // The library's own would log and build a URL for each answer, and answer errors in another form than ours.
    ejectPlugins: true,
    plugins: [listenToProxy],
  });

  function onAnswer(attempt: Attempt | undefined, upstream: IncomingMessage) {
    if (!attempt || attempt.exchange.response.headersSent) return upstream.destroy();
    clearTimeout(attempt.headerTimer);
    attempt.isAnswered = true;
    if (upstream.headers[internalHeaders.draining]) replicas.avoid(attempt.replica);
    relayAnswer(upstream, attempt.exchange);
    attempt.succeed();
  }

  function onError(attempt: Attempt | undefined, error: Error) {
    if (!attempt) return;
    clearTimeout(attempt.headerTimer);
    const { response, requestId } = attempt.exchange;
    if (response.destroyed) return attempt.fail(new ClientGone());
    if (attempt.isAnswered) {
      // The library has destroyed the client's connection: a cut answer must not be taken for whole.
      log.warn({ err: error, request_id: requestId, upstream: service }, 'answer broken off');
      metrics.upstreamErrors.inc({ upstream: service, kind: 'broken_off' });
      return;
    }
    const isOurs = error instanceof UpstreamFailure || error instanceof ApiError;
    attempt.fail(isOurs ? error : new UpstreamFailure('reset', error.message, error));
  }

  function tryReplica(
    exchange: Exchange,
    operation: Operation,
    replica: Replica,
    answerTimeoutMs: number,
  ): Promise<void> {
    const { request, response } = exchange;
    return new Promise((succeed, fail) => {
      const attempt: Attempt = {
        ...{ exchange, operation, replica, answerTimeoutMs, succeed, fail },
        isAnswered: false,
        headerTimer: undefined,
      };
      attempts.set(request, attempt);
      response.once('close', () => {
        clearTimeout(attempt.headerTimer);
        fail(new ClientGone());
      });
      void pass(request, response, fail);
    });
  }

  /** Tries replicas until one answers: again when nothing was sent, and once more for a GET that got no answer. */
  async function tryReplicas(
    exchange: Exchange,
    operation: Operation,
    answerTimeoutMs: number,
  ): Promise<void> {
    const startedAtMs = performance.now();
    const attemptsMax = Math.max(2, replicas.count);
    const tried: Replica[] = [];
    let wasReset = false;
    for (let number = 1; ; number += 1) {
      const replica = (replicas.next(tried) ?? replicas.next([]))!;
      try {
        return await tryReplica(exchange, operation, replica, answerTimeoutMs);
      } catch (error) {
        if (!(error instanceof UpstreamFailure) || exchange.response.destroyed) throw error;
        metrics.upstreamErrors.inc({ upstream: service, kind: error.kind });
        if (error.kind !== 'reset') replicas.avoid(replica);
        const isFresh =
          error.kind === 'connect' || (error.kind === 'reset' && operation.method === 'GET' && !wasReset);
        wasReset ||= error.kind === 'reset';
        const isLate = performance.now() - startedAtMs > RECONNECT_LIMIT_MS;
        if (!isFresh || isLate || number >= attemptsMax) throw error;
        tried.push(replica);
        exchange.response.setMaxListeners(0);
      }
    }
  }

  return {
    async forward(exchange, operation, identityToken) {
      const { request, response } = exchange;
      if (response.destroyed) throw new ClientGone();
      if (inFlight >= IN_FLIGHT_MAX) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
      const expectsContinue = request.headers.expect !== undefined && takesBody(operation);
      request.headers = upstreamHeaders(exchange, operation, identityToken);
      request.url = upstreamUrl(operation, exchange);
      inFlight += 1;
      response.once('close', () => {
        inFlight -= 1;
      });
      await breaker.run((isTrial) => {
        if (expectsContinue) response.writeContinue();
        return tryReplicas(exchange, operation, isTrial ? TRIAL_TIMEOUT_MS : ANSWER_TIMEOUT_MS);
      });
    },
    close: () => agent.destroy(),
  };
}

/** Sets the clocks of a request that has its connection, and counts a body whose length nobody has announced. */
function watchRequest(attempt: Attempt | undefined, upstreamRequest: ClientRequest): void {
  if (!attempt) return;
  const { exchange, operation, answerTimeoutMs } = attempt;
  upstreamRequest.setTimeout(IDLE_TIMEOUT_MS, () => {
    const isClientsFault = !upstreamRequest.writableFinished && !upstreamRequest.writableNeedDrain;
    const failure = new UpstreamFailure('timeout', `nothing moved for ${IDLE_TIMEOUT_MS} ms`);
    upstreamRequest.destroy(isClientsFault ? new ApiError('REQUEST_TIMEOUT') : failure);
  });
  upstreamRequest.once('finish', () => {
    if (attempt.isAnswered || exchange.response.destroyed) return;
    attempt.headerTimer = setTimeout(() => {
      upstreamRequest.destroy(new UpstreamFailure('timeout', `no answer within ${answerTimeoutMs} ms`));
    }, answerTimeoutMs);
  });
  if (takesBody(operation) && exchange.request.headers['content-length'] === undefined) {
    countBody(exchange.request, bodyLimitBytes(operation), (error) => upstreamRequest.destroy(error));
  }
}

export function bodyLimitBytes(operation: Operation): number {
  return operation.bodyLimitBytes ?? limits.bodyBytes;
}

function countBody(request: IncomingMessage, limitBytes: number, refuse: (error: ApiError) => void): void {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBytes) return;
    request.off('data', count);
    refuse(tooLarge(limitBytes));
  };
  request.on('data', count);
}

export function tooLarge(limitBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${limitBytes} bytes.` });
}

/** What an operation without a body gets in place of whatever the client sent. */
function noBody(): Readable {
  return new Readable({
    read() {
      this.push(null);
    },
  });
}
