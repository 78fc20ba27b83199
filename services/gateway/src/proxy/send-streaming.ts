import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import type { AttemptReport, ProxyAttempt } from './proxy-attempt.ts';
import { relayHead } from './relay-answer.ts';
import { limitBody, mayStream } from './request-body.ts';
import { type SecureConnect, upstreamAgent } from './upstream-agent.ts';
import { ClientGone } from './upstream-failure.ts';
import type { WatchedRequest } from './upstream-timeouts.ts';

interface Sending extends ProxyAttempt {
  watched: WatchedRequest | null;
  succeed: () => void;
  fail: (error: unknown) => void;
}

/** The property of a request that holds its attempt, for the event handlers of the proxy library. */
const SENDING = Symbol('sending');
type WithSending = IncomingMessage & { [SENDING]: Sending };
const sendingOf = (request: IncomingMessage) => (request as WithSending)[SENDING];

/** Sends requests whose bodies are still arriving. */
export function sendStreaming(report: AttemptReport, connect: SecureConnect | null, bodyTimeoutMs: number) {
  const { timeouts } = report;
  const agent = upstreamAgent(connect);

  function onConnected(sending: Sending, upstreamRequest: ClientRequest) {
    const { exchange, operation, answerTimeoutMs } = sending;
    const { request } = exchange;
    sending.watched = timeouts.watch(upstreamRequest, {
      answerMs: answerTimeoutMs,
      bodyMs: bodyTimeoutMs,
      mayStream: mayStream(operation),
      isReceived: false,
    });
    if (request.headers['content-length'] === undefined) {
      limitBody(request, operation, (error) => upstreamRequest.destroy(error));
    }
  }

  function onAnswer(sending: Sending, upstream: IncomingMessage) {
    const { exchange, watched, succeed } = sending;
    if (exchange.response.headersSent) return upstream.destroy();
    if (watched) watched.isAnswered = true;
    report.answered(sending, upstream.headers);
    relayHead(exchange, upstream.statusCode ?? 502, upstream.headers);
    upstream.pipe(exchange.response);
    succeed();
  }

  function onError(sending: Sending, error: Error) {
    // The library has destroyed the client's connection, so a cut answer is never taken for a whole one.
    if (sending.watched?.isAnswered) report.brokenOff(sending, error);
    else sending.fail(report.failureOf(sending, error));
  }

  const pass = proxyMiddleware(agent, (server) => {
    server.on('proxyReq', (upstreamRequest, request) => onConnected(sendingOf(request), upstreamRequest));
    server.on('proxyRes', (upstreamResponse, request) => onAnswer(sendingOf(request), upstreamResponse));
    server.on('error', (error, request) => request && onError(sendingOf(request), error));
    server.on('econnreset', (_, request) => sendingOf(request).fail(new ClientGone()));
  });

  return {
    async send(attempt: ProxyAttempt): Promise<void> {
      const { request, response } = attempt.exchange;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sending: Sending = { ...attempt, watched: null, succeed: resolve, fail };
      function fail(error: unknown): void {
        timeouts.forget(sending.watched);
        reject(error);
      }
      (request as WithSending)[SENDING] = sending;
      response.on('close', () => fail(new ClientGone()));
      void pass(request, response, fail);
      await promise;
    },
    close: () => agent.destroy(),
  };
}

function proxyMiddleware(agent: Agent, plugin: Plugin) {
  return createProxyMiddleware({
    router: (request) => sendingOf(request).replica.target,
    agent,
    selfHandleResponse: true,
    // The library's own plugins log, build a URL for each answer, and send errors in a form that is not ours.
    ejectPlugins: true,
    plugins: [plugin],
  });
}
