import {
  ApiError,
  camelCase,
  type ErrorCode,
  errorOf,
  errors,
  type InputOf,
  type InternalOperationId,
  internalHeaders,
  internalOperations,
  type Operation,
  type OperationDeclaration,
  type Operations,
  type ResultOf,
  type ServiceName,
} from '@waymark/contracts';
import type { PeerClock } from '../../process/peer-clock.ts';
import type { ServiceTls } from '../../process/service-tls.ts';
import { TRACEPARENT, type Tracing } from '../../process/tracing.ts';
import type { IdentityTokens } from '../identity-token.ts';
import { openReplicas, type Replica, type Replicas } from './replicas.ts';
import { assertIdentityAccepted, upstreamFailureOf } from './upstream-failure.ts';

/**
 * Calls an internal operation of another service, in the name of the caller if `headers` has its identity.
 * Throws ApiError; SERVICE_UNAVAILABLE without an answer in `timeoutMs`, by default that of the operation.
 */
export type CallInternal = <Id extends InternalOperationId>(
  id: Id,
  input: Partial<InputOf<Operations[Id]>>,
  headers?: Readonly<Record<string, string>>,
  timeoutMs?: number,
) => Promise<Parsed<Operations[Id]>>;

/** The parsed JSON of an answer, or its bytes if the operation declares another content type. */
type Parsed<T extends OperationDeclaration> = T['response'] extends { contentType: string }
  ? Buffer
  : ResultOf<T>;

const CALL_TIMEOUT_MS = 3_000;
/** A Date header has whole seconds, and Node makes it once a second. */
const DATE_HEADER_MS = 2_000;

interface Message {
  path: string;
  method: Operation['method'];
  headers: Record<string, string>;
  body: string | undefined;
  timeoutMs: number;
  clock: PeerClock;
}

/** Creates a client that signs as `service`; `urls` may name several replicas of a service. */
export function internalClient(options: {
  service: ServiceName;
  urls: Partial<Record<ServiceName, string>>;
  identity: IdentityTokens;
  tracing: Tracing;
  clockOf: (service: ServiceName) => PeerClock;
  tls: ServiceTls;
  now: () => number;
}): { call: CallInternal; close(): Promise<void> } {
  const principal = { type: 'service', service: options.service } as const;
  const opened = new Map<ServiceName, Replicas>();

  function replicasOf(service: ServiceName): Replicas {
    const known = opened.get(service);
    if (known) return known;
    const urls = options.urls[service];
    if (urls === undefined) throw new Error(`no URL is configured for ${service}`);
    const replicas = openReplicas(service, urls, options);
    opened.set(service, replicas);
    return replicas;
  }

  const call: CallInternal = async (id, input, headers = {}, givenMs) => {
    const operation = internalOperations[id];
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent((input.params as Record<string, string> | undefined)?.[name] ?? ''),
    );
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(input.query ?? {})) query.set(camelCase(name), String(value));
    const { neverMissing, response, timeoutMs = CALL_TIMEOUT_MS } = operation as Operation;
    const body = input.body ? JSON.stringify(input.body) : undefined;
    const token = await options.identity.sign(principal, operation.service);
    const traceparent = options.tracing.current();
    const message: Message = {
      path: `${path}${query.size ? `?${query}` : ''}`,
      method: operation.method,
      headers: {
        [internalHeaders.identity]: token,
        ...headers,
        ...(traceparent && { [TRACEPARENT]: traceparent }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body,
      timeoutMs: givenMs ?? timeoutMs,
      clock: options.clockOf(operation.service),
    };
    // Internal operations are safe to repeat.
    const bytes = await replicasOf(operation.service)
      .tryEach((replica) => send(replica, message), { mayRepeat: true })
      .catch((error: unknown) => {
        const isOlder = error instanceof ApiError && error.code === 'NOT_FOUND' && neverMissing;
        throw error instanceof ApiError && !isOlder
          ? error
          : new ApiError('SERVICE_UNAVAILABLE', { cause: error });
      });
    if (response.contentType !== undefined) return bytes as Parsed<Operations[typeof id]>;
    return bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
  };
  return {
    call,
    async close() {
      await Promise.all([...opened.values()].map((replicas) => replicas.close()));
    },
  };
}

async function send({ pool }: Replica, message: Message): Promise<Buffer> {
  const { timeoutMs, clock, body = null, ...request } = message;
  const sentTicksMs = clock.ticksMs();
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await pool.request({ ...request, body, signal });
    const earliestMs = Date.parse(String(response.headers['date'] ?? ''));
    if (!Number.isNaN(earliestMs))
      clock.observe({ sentTicksMs, earliestMs, latestMs: earliestMs + DATE_HEADER_MS });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    assertIdentityAccepted(response.headers);
    if (response.statusCode < 300) return bytes;
    throw errorFrom(bytes.toString());
  } catch (error) {
    throw error instanceof ApiError ? error : upstreamFailureOf(error);
  }
}

function errorFrom(text: string): ApiError {
  try {
    const parsed = JSON.parse(text) as { error?: string; message?: string };
    if (parsed.error && parsed.error in errors) {
      return errorOf(parsed.error as ErrorCode, parsed.message ? { message: parsed.message } : {});
    }
  } catch {
    // This is not an error body: a proxy between the services answered.
  }
  return new ApiError('SERVICE_UNAVAILABLE');
}
