import type { IncomingMessage } from 'node:http';
import { bodyBytesMax, limits, type Operation } from '@waymark/contracts';
import { bodyTooLarge, tenantsOf } from '@waymark/service-kit/http';
import type { Tenants } from '@waymark/service-kit/jobs';
import type { CallerChecks } from '../auth/caller-checks.ts';
import { ClientGone } from '../http/hold-place.ts';
import { type GatewayResponse, type Middleware, sendsBody } from '../request-state.ts';
import { isStreamed, slowBodyTimer, type Uploads } from './uploads.ts';

/** The most periods of a large body. */
const LARGE_PERIODS_MAX = 10;

export interface BodyOptions {
  uploads: Uploads;
  checks: CallerChecks;
  /** The limit for a whole body, and for each 64 KiB of a large one. */
  timeoutMs: number;
}

/**
 * Returns the body of a request; null for none. Checks the caller again if the body took time. Throws
 * PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, RATE_LIMITED, SERVICE_UNAVAILABLE, and what the check throws.
 */
export type BodyReceiver = (response: GatewayResponse) => Promise<Buffer | null>;

/** Whether an operation has a body; a body sent to any other operation is left unread. */
const takesBody = ({ body, bodyContentTypes }: Operation) =>
  body !== undefined || bodyContentTypes !== undefined;

/** Receives the body of a request whole, so that a slow client holds nothing of a service. */
export function receiveBody(receive: BodyReceiver): Middleware {
  return async (request, response, next) => {
    const operation = response.locals.operation!;
    if (sendsBody(request) && takesBody(operation)) {
      if (isStreamed(operation)) continueUpload(request, response);
      else response.locals.body = await receive(response);
    }
    next();
  };
}

export function bodyReceiver(options: BodyOptions): BodyReceiver {
  return async (response) => {
    const { req: request } = response;
    const limitBytes = bodyBytesMax(response.locals.operation!);
    const body = request.complete
      ? (request.read() as Buffer | null)
      : await upload(options, request, response, limitBytes);
    if (body && body.length > limitBytes) throw bodyTooLarge(limitBytes);
    return body;
  };
}

/** Tells a client that waits for "100 Continue" to send its body. */
function continueUpload(request: IncomingMessage, response: GatewayResponse): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
}

async function upload(
  options: BodyOptions,
  request: IncomingMessage,
  response: GatewayResponse,
  limitBytes: number,
): Promise<Buffer> {
  const { principal, clientAddress } = response.locals;
  const tenants = tenantsOf(principal, clientAddress);
  const leave = options.uploads.places.enter(tenants);
  try {
    continueUpload(request, response);
    const body = await collect(options, request, response, { limitBytes, tenants });
    await options.checks.confirm(response);
    return body;
  } finally {
    leave();
  }
}

/** Collects the body. Its memory is counted until the response has ended. */
function collect(
  { uploads, checks, timeoutMs }: BodyOptions,
  request: IncomingMessage,
  response: GatewayResponse,
  { limitBytes, tenants }: { limitBytes: number; tenants: Tenants },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const held: (() => void)[] = [];
  let size = 0;
  response.once('close', () => {
    for (const giveBack of held) giveBack();
  });
  return new Promise((resolve, reject) => {
    function stop(): void {
      clearInterval(timer);
      unwatch();
      request.off('data', add).off('end', finish).off('close', gone);
    }
    function refuse(error: unknown): void {
      stop();
      reject(error);
    }
    function add(chunk: Buffer): void {
      size += chunk.length;
      try {
        if (size > limitBytes) throw bodyTooLarge(limitBytes);
        held.push(uploads.bytes.enter(tenants, chunk.length));
        chunks.push(chunk);
      } catch (error) {
        refuse(error);
      }
    }
    function finish(): void {
      stop();
      resolve(Buffer.concat(chunks));
    }
    const gone = () => refuse(new ClientGone());
    const unwatch = checks.watch(response, refuse);
    const periodsMax = limitBytes > limits.bodyBytes ? LARGE_PERIODS_MAX : 1;
    const timer = slowBodyTimer(() => size, { periodMs: timeoutMs, periodsMax, end: refuse });
    request.on('data', add).once('end', finish).once('close', gone);
  });
}
