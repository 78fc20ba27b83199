import { type buildConnector, type Dispatcher, Pool } from 'undici';
import type { AttemptReport, ProxyAttempt } from './proxy-attempt.ts';
import { relayHead } from './relay-answer.ts';
import { receivedBody } from './request-body.ts';
import type { SecureConnect } from './upstream-agent.ts';
import { ClientGone, UpstreamFailure } from './upstream-failure.ts';
import type { WatchedRequest } from './upstream-timeouts.ts';
import type { Replica } from './upstreams.ts';
import { type TogetherWriter, writeTogether } from './write-together.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/** Shorter than a replica's drain delay, so that the replica finds no idle connection of ours to close. */
const IDLE_MS = 2_000;
/** Node encodes up to this much text without allocating memory for it. */
const SMALL_BYTES = 8_192;

/** The state of a request without a body to send, as upstream-timeouts.ts reads it. */
const SENT = { writableFinished: true, writableNeedDrain: false };

/** Sends requests that have arrived whole. Unlike http-proxy-middleware, it needs no stream for each part. */
export function sendReceived(report: AttemptReport, connect: SecureConnect | null) {
  const pools = new Map<Replica, Pool>();

  function poolOf(replica: Replica): Pool {
    const known = pools.get(replica);
    if (known) return known;
    const { protocol, host } = replica.target;
    const pool = new Pool(`${protocol}//${host}`, {
      connectTimeout: CONNECT_TIMEOUT_MS,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      // upstream-timeouts.ts limits the time.
      headersTimeout: 0,
      bodyTimeout: 0,
      ...(connect && { connect: connectorOf(connect), allowH2: false }),
    });
    pools.set(replica, pool);
    return pool;
  }

  return {
    send(attempt: ProxyAttempt): Promise<void> {
      const { exchange, operation, replica } = attempt;
      const { request } = exchange;
      const body = receivedBody(exchange, operation);
      return new Promise((succeed, fail) => {
        const handler = answerHandler(attempt, report, { succeed, fail });
        const { url: path, headers } = request;
        const { method } = operation;
        poolOf(replica).dispatch({ path: path!, method, headers, body }, handler);
      });
    },
    close: () => [...pools.values()].forEach((pool) => void pool.destroy()),
  };
}

/** A connector of undici. */
function connectorOf(connect: SecureConnect): buildConnector.connector {
  return ({ hostname, port }, callback) =>
    connect({ host: hostname, port: Number(port || 443) }, (error, socket) =>
      error ? callback(error, null) : callback(null, socket),
    );
}

/** Passes the answer to the client as it arrives, or in one piece if it is small. */
function answerHandler(
  attempt: ProxyAttempt,
  report: AttemptReport,
  { succeed, fail }: { succeed: () => void; fail: (error: Error) => void },
): Dispatcher.DispatchHandler {
  const { exchange, answerTimeoutMs } = attempt;
  const { response } = exchange;
  const { timeouts } = report;
  const socket = { bytesRead: 0, bytesWritten: 0 };
  let controller: Dispatcher.DispatchController | null = null;
  let watched: WatchedRequest | null = null;
  let together: TogetherWriter | null = null;
  let isOver = false;

  function end(): void {
    isOver = true;
    timeouts.forget(watched);
  }

  response.on('close', () => {
    if (isOver) return;
    end();
    const gone = new ClientGone();
    controller?.abort(gone);
    fail(gone);
  });

  return {
    onRequestStart(started) {
      controller = started;
      if (isOver) return started.abort(new ClientGone());
      const progress = { ...SENT, socket, destroy: (error?: Error) => started.abort(error!) };
      watched = timeouts.watch(progress, {
        answerMs: answerTimeoutMs,
        bodyMs: 0,
        mayStream: false,
        isReceived: true,
      });
    },
    onResponseStart(_, status, headers) {
      report.answered(attempt, headers);
      watched!.isAnswered = true;
      const isSmall = Number(headers['content-length']) <= SMALL_BYTES;
      if (isSmall) together = writeTogether(response, () => relayHead(exchange, status, headers));
      else relayHead(exchange, status, headers);
      succeed();
    },
    onResponseData(answering, chunk) {
      socket.bytesRead += chunk.length;
      if (together) {
        together.add(chunk);
      } else if (!response.write(chunk)) {
        answering.pause();
        response.once('drain', () => answering.resume());
      }
    },
    onResponseEnd() {
      end();
      if (together) together.end();
      else response.end();
    },
    onResponseError(_, error) {
      if (isOver) return;
      end();
      if (watched?.isAnswered) {
        report.brokenOff(attempt, error);
        // Destroyed, so that a cut answer is never taken for a whole one.
        response.destroy();
      } else {
        fail(
          controller
            ? report.failureOf(attempt, error)
            : new UpstreamFailure('connect', error.message, error),
        );
      }
    },
  };
}
