import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, internalHeaders } from '@waymark/contracts';
import {
  assertIdentityAccepted,
  type Replica,
  type UpstreamFailure,
  upstreamFailureOf,
} from '@waymark/service-kit/http';
import { ClientGone } from '../http/hold-place.ts';
import type { GatewayResponse } from '../request-state.ts';
import { relayHead } from './relay-head.ts';

/** The longest pause within a response. */
const IDLE_TIMEOUT_MS = 60_000;
/** A body up to this length leaves in one write with its head. */
const SMALL_BYTES = 8_192;

/** A request in the form in which a service gets it. */
export interface UpstreamRequest {
  path: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string | string[]>;
  body: Buffer | null;
  /** How long the service may take to begin its response. */
  timeoutMs: number;
}

/**
 * Sends a request whose body is complete, and relays the response to the client. Resolves once the client's
 * response has begun; `onDraining` is called if the replica is about to stop. Throws UpstreamFailure,
 * ClientGone, SERVICE_UNAVAILABLE, and what `watch` reports.
 */
export function sendComplete(
  { pool }: Replica,
  { timeoutMs, ...request }: UpstreamRequest,
  response: GatewayResponse,
  callbacks: {
    onDraining: () => void;
    onAborted: (failure: UpstreamFailure) => void;
    /** Calls back when the caller may no longer receive the response. */
    watch: (end: (error: unknown) => void) => void;
  },
): Promise<void> {
  if (response.destroyed) return Promise.reject(new ClientGone());
  const options = { ...request, headersTimeout: timeoutMs, bodyTimeout: IDLE_TIMEOUT_MS };
  return new Promise((resolve, reject) => {
    let abort: (reason: Error) => void = reject;
    let head = { status: 0, headers: {} as IncomingHttpHeaders };
    response.once('close', () => {
      if (!response.writableFinished) abort(new ClientGone());
    });
    callbacks.watch((error) => {
      abort(error as Error);
      if (response.headersSent) response.destroy();
    });
    function begin(): void {
      if (response.headersSent) return;
      relayHead(response, head.status, head.headers);
      resolve();
    }

    pool.dispatch(options, {
      onRequestStart(controller) {
        abort = (reason) => controller.abort(reason);
        if (response.destroyed) controller.abort(new ClientGone());
      },
      onResponseStart(_, status, headers) {
        if (headers[internalHeaders.draining] !== undefined) callbacks.onDraining();
        assertIdentityAccepted(headers);
        head = { status, headers };
        if (headers['content-length'] === undefined) begin();
      },
      onResponseData(controller, chunk) {
        begin();
        const isWhole = chunk.length === Number(head.headers['content-length']);
        if (isWhole && chunk.length <= SMALL_BYTES) {
          // Node joins text with the head, so that both leave in one write.
          response.end(chunk.toString('latin1'), 'latin1');
        } else if (!response.write(chunk)) {
          controller.pause();
          response.once('drain', () => controller.resume());
        }
      },
      onResponseEnd() {
        begin();
        response.end();
      },
      onResponseError(_, error) {
        if (error instanceof ClientGone || error instanceof ApiError) return reject(error);
        if (!response.headersSent) return reject(upstreamFailureOf(error));
        // A response that was cut off must not look complete.
        callbacks.onAborted(upstreamFailureOf(error));
        response.destroy();
      },
    });
  });
}
