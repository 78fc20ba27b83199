import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Stream } from 'node:stream';
import { ApiError, internalHeaders, type Operation } from '@waymark/contracts';
import type { Logger } from '@waymark/service-kit/process';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';
import { countHeader } from '../exchange/request-line.ts';
import { relayAnswer } from './relay-answer.ts';
import { forwardsBody, isReceived, limitBody, mayStream } from './request-body.ts';
import { upstreamAgent } from './upstream-agent.ts';
import { ClientGone, UpstreamFailure } from './upstream-failure.ts';
import { upstreamTimeouts, type WatchedRequest } from './upstream-timeouts.ts';
import type { Replica, Upstreams } from './upstreams.ts';

/** A request on its way to one replica of a service. */
export interface ProxyAttempt {
  exchange: Exchange;
  operation: Operation;
  replica: Replica;
  answerTimeoutMs: number;
}

interface Sending extends ProxyAttempt {
  watched: WatchedRequest | null;
  succeed: () => void;
  fail: (error: unknown) => void;
}

/** The property of a request that holds its attempt, for the event handlers of the proxy library. */
const SENDING = Symbol('sending');
type WithSending = IncomingMessage & { [SENDING]: Sending };
const sendingOf = (request: IncomingMessage) => (request as WithSending)[SENDING];

export interface SenderOptions {
  service: string;
  /** The limit for a whole body, and for each 64 KiB of a body that may stream. */
  bodyTimeoutMs: number;
  metrics: GatewayMetrics;
  log: Logger;
}

export function attemptSender(replicas: Upstreams, { service, bodyTimeoutMs, metrics, log }: SenderOptions) {
  const agent = upstreamAgent();
  const timeouts = upstreamTimeouts();

  function onConnected(sending: Sending, upstreamRequest: ClientRequest) {
    const { exchange, operation, answerTimeoutMs } = sending;
    const { request } = exchange;
    sending.watched = timeouts.watch(upstreamRequest, {
      answerMs: answerTimeoutMs,
      bodyMs: bodyTimeoutMs,
      mayStream: mayStream(operation),
      isReceived: isReceived(exchange, operation),
    });
    if (forwardsBody(exchange, operation) && request.headers['content-length'] === undefined) {
      limitBody(request, operation, (error) => upstreamRequest.destroy(error));
    }
  }

  function onAnswer({ exchange, replica, watched, succeed }: Sending, upstream: IncomingMessage) {
    if (exchange.response.headersSent) return upstream.destroy();
    if (watched) watched.isAnswered = true;
    if (countHeader(upstream, internalHeaders.draining) > 0) replicas.avoid(replica);
    relayAnswer(upstream, exchange);
    succeed();
  }

  function onError({ exchange, watched, fail }: Sending, error: Error) {
    const { response, requestId } = exchange;
    if (watched?.isAnswered) {
      // The library has destroyed the client's connection, so a cut answer is never taken for a whole one.
      log.warn({ err: error, request_id: requestId, upstream: service }, 'answer broken off');
      metrics.upstreamErrors.inc({ upstream: service, kind: 'broken_off' });
      return;
    }
    if (response.destroyed) return fail(new ClientGone());
    const isOurs = error instanceof UpstreamFailure || error instanceof ApiError;
    fail(isOurs ? error : new UpstreamFailure('reset', error.message, error));
  }

  const pass = proxyMiddleware(agent, (server) => {
    server.on('proxyReq', (upstreamRequest, request) => onConnected(sendingOf(request), upstreamRequest));
    server.on('proxyRes', (upstreamResponse, request) => onAnswer(sendingOf(request), upstreamResponse));
    server.on('error', (error, request) => request && onError(sendingOf(request), error));
    server.on('econnreset', (_, request) => sendingOf(request).fail(new ClientGone()));
  });

  return {
    /** Resolves once answered; throws UpstreamFailure, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, ClientGone. */
    async send(attempt: ProxyAttempt): Promise<void> {
      const { request, response } = attempt.exchange;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sending: Sending = { ...attempt, watched: null, succeed: resolve, fail };
      function stopWatching(): void {
        if (sending.watched) timeouts.forget(sending.watched);
      }
      function fail(error: unknown): void {
        stopWatching();
        reject(error);
      }
      (request as WithSending)[SENDING] = sending;
      response.on('close', () => {
        // An error captures a stack trace, which costs a tenth of a request.
        if (sending.watched?.isAnswered) stopWatching();
        else fail(new ClientGone());
      });
      void pass(request, response, fail);
      await promise;
    },
    close(): void {
      timeouts.stop();
      agent.destroy();
    },
  };
}

function proxyMiddleware(agent: Agent, plugin: Plugin) {
  return createProxyMiddleware({
    router(request, _, requestOptions) {
      const { exchange, operation, replica } = sendingOf(request);
      if (requestOptions && !forwardsBody(exchange, operation)) requestOptions.buffer = emptyBody;
      return replica.target;
    },
    agent,
    selfHandleResponse: true,
    // The library's own plugins log, build a URL for each answer, and send errors in a form that is not ours.
    ejectPlugins: true,
    plugins: [plugin],
  });
}

/** Replaces the client's stream where the service gets no body: the library only calls `pipe`. */
const emptyBody = { pipe: (upstreamRequest: ClientRequest) => upstreamRequest.end() } as unknown as Stream;
