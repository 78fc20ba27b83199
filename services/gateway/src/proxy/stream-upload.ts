import http from 'node:http';
import https from 'node:https';
import { ApiError, bodyBytesMax } from '@waymark/contracts';
import {
  assertIdentityAccepted,
  bodyTooLarge,
  type Replica,
  UpstreamFailure,
  upstreamFailureOf,
} from '@waymark/service-kit/http';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import type { CallerChecks } from '../auth/caller-checks.ts';
import { slowBodyTimer } from '../bodies/uploads.ts';
import { ClientGone } from '../http/hold-place.ts';
import type { GatewayResponse } from '../request-state.ts';
import { relayHead } from './relay-head.ts';

const IDLE_MS = 2_000;
/** The most periods of an upload: half an hour by default. */
const PERIODS_MAX = 60;

/** The headers about the body, which the proxy library adds. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection', 'host']);

interface UploadOptions {
  /** All headers for the service except those about the body. */
  headers: Readonly<Record<string, string | string[]>>;
  /** How long the service may take to begin its response after the body. */
  timeoutMs: number;
}

/** An upload on its way, for the event handlers of the proxy library. */
interface Upload extends UploadOptions {
  response: GatewayResponse;
  begun: () => void;
  failed: (error: unknown) => void;
}

/**
 * Streams the bodies of imports to the replicas of a service with http-proxy-middleware: with one proxy each,
 * because the library leaves a listener on the server for every proxy.
 */
export function uploadStreamer({
  checks,
  bodyTimeoutMs,
}: {
  checks: CallerChecks;
  /** The limit for each 64 KiB of a body. */
  bodyTimeoutMs: number;
}) {
  const uploads = new WeakMap<http.IncomingMessage, Upload>();
  const opened = new Map<Replica, ReturnType<typeof openProxy>>();

  function openProxy(replica: Replica) {
    const agent = connectedAgent(replica);
    const pass = createProxyMiddleware({
      target: replica.url,
      agent,
      selfHandleResponse: true,
      // The library's other plugins log, and send errors in another form than the API's.
      ejectPlugins: true,
      plugins: [proxyEventsPlugin],
      on: {
        error: (error, request) => uploads.get(request)!.failed(error),
        proxyReq(upstream, request) {
          const upload = uploads.get(request)!;
          for (const name of upstream.getHeaderNames()) if (!FRAMING.has(name)) upstream.removeHeader(name);
          for (const [name, value] of Object.entries(upload.headers)) upstream.setHeader(name, value);
          watchUpload(upstream, request, upload);
        },
        proxyRes(upstream, request) {
          const { response, begun, failed } = uploads.get(request)!;
          try {
            assertIdentityAccepted(upstream.headers);
          } catch (error) {
            upstream.destroy();
            return failed(error);
          }
          relayHead(response, upstream.statusCode ?? 502, upstream.headers);
          upstream.pipe(response);
          begun();
        },
      },
    });
    return { agent, pass };
  }

  /** Ends an upload that is too slow or too large, or whose caller has lost the right to it. */
  function watchUpload(upstream: http.ClientRequest, request: http.IncomingMessage, upload: Upload): void {
    const limitBytes = bodyBytesMax(upload.response.locals.operation!);
    let size = 0;
    const end = (error: unknown) => {
      upload.failed(error);
      upstream.destroy();
    };
    let timer = slowBodyTimer(() => size, { periodMs: bodyTimeoutMs, periodsMax: PERIODS_MAX, end });
    const unwatch = checks.watch(upload.response, end);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) end(bodyTooLarge(limitBytes));
    });
    request.once('end', () => {
      clearInterval(timer);
      const late = `no response within ${upload.timeoutMs} ms`;
      timer = setTimeout(() => end(new UpstreamFailure('timeout', late)), upload.timeoutMs);
    });
    upstream.once('response', () => clearInterval(timer));
    upstream.once('close', () => {
      clearInterval(timer);
      unwatch();
    });
  }

  return {
    /** Resolves once the response has begun. Throws UpstreamFailure, ApiError, ClientGone. */
    send(replica: Replica, response: GatewayResponse, options: UploadOptions): Promise<void> {
      const proxy = opened.get(replica) ?? openProxy(replica);
      opened.set(replica, proxy);
      return new Promise((begun, reject) => {
        const failed = (error: unknown) => reject(failureOf(error, response));
        uploads.set(response.req, { ...options, response, begun, failed });
        response.once('close', () => failed(new ClientGone()));
        void proxy.pass(response.req, response);
      });
    },
    close(): void {
      for (const { agent } of opened.values()) agent.destroy();
    },
  };
}

/** A reset while the body is sent says nothing about the service, so it is not an UpstreamFailure. */
function failureOf(error: unknown, response: GatewayResponse): unknown {
  if (error instanceof ApiError || error instanceof UpstreamFailure) return error;
  if (error instanceof ClientGone || response.destroyed) return new ClientGone();
  if (response.req.complete) return upstreamFailureOf(error);
  return new ApiError('SERVICE_UNAVAILABLE', { cause: error });
}

/** An agent that gives requests connected sockets only: a request that gets none has sent nothing. */
function connectedAgent({ url, connect }: Replica): http.Agent {
  const Agent = url.protocol === 'https:' ? https.Agent : http.Agent;
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const { protocol, host, hostname, port } = url;
  agent.createConnection = (_, callback) => {
    connect({ protocol, host, hostname, port }, (error, socket) =>
      error ? callback?.(error, undefined as never) : callback?.(null, socket!),
    );
    return undefined;
  };
  return agent;
}
