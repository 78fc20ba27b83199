import { ApiError, internalHeaders } from '@waymark/contracts';
import {
  assertIdentityAccepted,
  type Replica,
  type UpstreamFailure,
  upstreamFailureOf,
} from '@waymark/service-kit/http';
import { ClientGone } from '../http/client-gone.ts';
import type { GatewayResponse } from '../request-state.ts';
import { relayHead } from './relay-head.ts';

/** How long nothing may arrive of a response that has begun. */
const IDLE_TIMEOUT_MS = 60_000;

/** A request as a service gets it. */
export interface UpstreamRequest {
  path: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string | string[]>;
  body: Buffer | null;
  /** How long the service may take to begin its response. */
  timeoutMs: number;
}

const isClientGone = (error: unknown) =>
  error instanceof ClientGone || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Sends a request whose body is complete, and streams the response to the client. Resolves once the response
 * has begun; `onDraining` is called if the replica is about to stop. Throws UpstreamFailure, ClientGone,
 * SERVICE_UNAVAILABLE.
 */
export function sendComplete(
  { pool }: Replica,
  { timeoutMs, ...request }: UpstreamRequest,
  response: GatewayResponse,
  callbacks: { onDraining: () => void; onAborted: (failure: UpstreamFailure) => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = new AbortController();
    const abort = () => gone.abort(new ClientGone());
    if (response.destroyed) abort();
    else response.once('close', abort);
    const options = {
      ...request,
      signal: gone.signal,
      headersTimeout: timeoutMs,
      bodyTimeout: IDLE_TIMEOUT_MS,
      opaque: null,
    };
    pool
      .stream(options, ({ statusCode, headers }) => {
        if (headers[internalHeaders.draining] !== undefined) callbacks.onDraining();
        assertIdentityAccepted(headers);
        relayHead(response, statusCode, headers);
        resolve();
        return response;
      })
      .catch((error: unknown) => {
        if (isClientGone(error)) return reject(new ClientGone());
        if (error instanceof ApiError) return reject(error);
        const failure = upstreamFailureOf(error);
        if (!response.headersSent) return reject(failure);
        // A response that was cut off must not look complete.
        callbacks.onAborted(failure);
        response.destroy();
      });
  });
}
