import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Stream } from 'node:stream';
import { ApiError, internalHeaders, type Operation } from '@waymark/contracts';
import type { Logger } from '@waymark/service-kit/process';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';
import { countHeader } from '../exchange/request-line.ts';
import { bodyAtHand } from './body-at-hand.ts';
import { limitBody, mayStream, takesBody } from './body-limit.ts';
import { circuit } from './circuit.ts';
import { callersOf, createPlaces } from './places.ts';
import { relayAnswer } from './relay-answer.ts';
import { upstreamAgent } from './upstream-agent.ts';
import { type Timed, upstreamClock } from './upstream-clock.ts';
import { ClientGone, UpstreamFailure } from './upstream-failure.ts';
import { upstreamHeaders, upstreamUrl } from './upstream-request.ts';
import { type Replica, upstreams } from './upstreams.ts';

/** The way to one service. */
export interface ServiceProxy {
  /**
   * Passes a request on; resolves when the answer has begun. Throws SERVICE_UNAVAILABLE, RATE_LIMITED, PAYLOAD_TOO_LARGE,
   * REQUEST_TIMEOUT, ClientGone.
   */
  forward(exchange: Exchange, operation: Operation, identityToken: string): Promise<void>;
  close(): void;
}

/** A request on its way to a service, at one replica after another. */
interface Passage {
  exchange: Exchange;
  operation: Operation;
  answerTimeoutMs: number;
  /** The one that is being tried. */
  replica: Replica | null;
  timed: Timed | null;
  isAnswered: boolean;
  succeed: () => void;
  fail: (error: unknown) => void;
}

/** Where a request keeps its passage: entries of a WeakMap outlive their requests by many collections. */
const PASSAGE = Symbol('passage');
type Travelling = IncomingMessage & { [PASSAGE]?: Passage };
const passageOf = (request: IncomingMessage) => (request as Travelling)[PASSAGE];

/** For the request that tries a service which was down a moment ago: its client should not pay for the finding. */
const TRIAL_TIMEOUT_MS = 2_000;
const RECONNECT_LIMIT_MS = 2_000;
const IN_FLIGHT_MAX = 512;

/** A proxy to the replicas in `urls`, with connections, a circuit and a share of the gateway of its own. */
export function createProxy(options: {
  service: string;
  urls: string;
  answerTimeoutMs: number;
  /** For a whole body, and for 64 KiB of one that may be streamed. */
  bodyTimeoutMs: number;
  flowCookieName: string;
  now: () => number;
  metrics: GatewayMetrics;
  log: Logger;
}): ServiceProxy {
  const { service, answerTimeoutMs, bodyTimeoutMs, metrics, log } = options;
  const replicas = upstreams(service, options.urls, options.now);
  const breaker = circuit({ service, metrics, log });
  const agent = upstreamAgent();
  const clock = upstreamClock();
  const places = createPlaces(IN_FLIGHT_MAX, (reason) =>
    metrics.placesRefused.inc({ upstream: service, reason }),
  );

  const listenToProxy: Plugin = (server) => {
    server.on('proxyReq', (upstreamRequest, request) => onConnected(passageOf(request), upstreamRequest));
    server.on('proxyRes', (upstreamResponse, request) => onAnswer(passageOf(request), upstreamResponse));
    server.on('error', (error, request) => request && onError(passageOf(request), error));
    server.on('econnreset', (_, request) => passageOf(request)?.fail(new ClientGone()));
  };
  const pass = createProxyMiddleware({
    target: replicas.next([])!.target,
    router: (request, _, passOptions) => {
      const { exchange, operation, replica } = passageOf(request)!;
      if (passOptions && !(exchange.sendsBody && takesBody(operation))) passOptions.buffer = noBody;
      return replica!.target;
    },
    agent,
    selfHandleResponse: true,
    // The library's own would log and build a URL for each answer, and answer errors in another form than ours.
    ejectPlugins: true,
    plugins: [listenToProxy],
  });

  function onConnected(passage: Passage | undefined, upstreamRequest: ClientRequest) {
    if (!passage) return;
    const { exchange, operation } = passage;
    passage.timed = clock.watch(upstreamRequest, {
      answerMs: passage.answerTimeoutMs,
      bodyMs: bodyTimeoutMs,
      mayStream: mayStream(operation),
      isWhole: isWhole(exchange, operation),
    });
    if (
      exchange.sendsBody &&
      takesBody(operation) &&
      exchange.request.headers['content-length'] === undefined
    ) {
      limitBody(exchange.request, operation, (error) => upstreamRequest.destroy(error));
    }
  }

  function onAnswer(passage: Passage | undefined, upstream: IncomingMessage) {
    if (!passage || passage.exchange.response.headersSent) return upstream.destroy();
    passage.isAnswered = true;
    if (passage.timed) passage.timed.isAnswered = true;
    if (passage.replica && countHeader(upstream, internalHeaders.draining) > 0)
      replicas.avoid(passage.replica);
    relayAnswer(upstream, passage.exchange);
    passage.succeed();
  }

  function onError(passage: Passage | undefined, error: Error) {
    if (!passage) return;
    const { response, requestId } = passage.exchange;
    if (passage.isAnswered) {
      // The library has destroyed the client's connection: a cut answer must not be taken for whole.
      log.warn({ err: error, request_id: requestId, upstream: service }, 'answer broken off');
      metrics.upstreamErrors.inc({ upstream: service, kind: 'broken_off' });
      return;
    }
    if (response.destroyed) return passage.fail(new ClientGone());
    const isOurs = error instanceof UpstreamFailure || error instanceof ApiError;
    passage.fail(isOurs ? error : new UpstreamFailure('reset', error.message, error));
  }

  function tryReplica(passage: Passage): Promise<void> {
    const { request, response } = passage.exchange;
    return new Promise((succeed, fail) => {
      passage.succeed = succeed;
      passage.fail = (error) => {
        if (passage.timed) clock.forget(passage.timed);
        fail(error);
      };
      void pass(request, response, passage.fail);
    });
  }

  /** Tries replicas until one answers: again when nothing was sent, and once more for a GET that got no answer. */
  async function tryReplicas(passage: Passage): Promise<void> {
    const { exchange, operation } = passage;
    const startedAtMs = performance.now();
    const attemptsMax = Math.max(2, replicas.count);
    const tried: Replica[] = [];
    let wasReset = false;
    for (let number = 1; ; number += 1) {
      const replica = (replicas.next(tried) ?? replicas.next([]))!;
      passage.replica = replica;
      try {
        return await tryReplica(passage);
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
        // Each try listens to the response anew.
        exchange.response.setMaxListeners(0);
      }
    }
  }

  function checkRoom({ response }: Exchange, callers: readonly string[]): void {
    if (response.destroyed) throw new ClientGone();
    breaker.check();
    places.check(callers);
  }

  return {
    async forward(exchange, operation, identityToken) {
      const { request, response } = exchange;
      const callers = callersOf(exchange);
      checkRoom(exchange, callers);
      if (!isWhole(exchange, operation)) {
        if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
        await bodyAtHand(request, bodyTimeoutMs);
        checkRoom(exchange, callers);
      }
      request.headers = upstreamHeaders(exchange, operation, identityToken, options.flowCookieName);
      request.url = upstreamUrl(operation, exchange);
      const passage: Passage = {
        exchange,
        operation,
        answerTimeoutMs,
        replica: null,
        timed: null,
        isAnswered: false,
        succeed: () => undefined,
        fail: () => undefined,
      };
      (request as Travelling)[PASSAGE] = passage;
      places.take(callers);
      response.on('close', () => {
        places.give(callers);
        if (passage.timed) clock.forget(passage.timed);
        if (!passage.isAnswered) passage.fail(new ClientGone());
      });
      await breaker.run(isWhole(exchange, operation), (isTrial) => {
        if (isTrial) passage.answerTimeoutMs = Math.min(answerTimeoutMs, TRIAL_TIMEOUT_MS);
        return tryReplicas(passage);
      });
    },
    close() {
      clock.stop();
      agent.destroy();
    },
  };
}

/** Whether nothing of the request is left to wait for. */
function isWhole({ request, sendsBody }: Exchange, operation: Operation): boolean {
  return request.complete || !sendsBody || !takesBody(operation);
}

/** Stands for the client's stream where nothing of it goes to the service: to pipe an empty one costs more than an end. */
const noBody = { pipe: (upstreamRequest: ClientRequest) => upstreamRequest.end() } as unknown as Stream;
