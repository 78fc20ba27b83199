import http from 'node:http';
import https from 'node:https';
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
import type { PeerClock } from '../process/peer-clock.ts';
import type { ServiceTls } from '../process/service-tls.ts';
import { TRACEPARENT, type Tracing } from '../process/tracing.ts';
import type { IdentityTokens } from './identity-token.ts';

/**
 * Calls an internal operation of another service, in the name of the caller if `headers` has its identity.
 * Throws ApiError; SERVICE_UNAVAILABLE without an answer.
 */
export type CallInternal = <Id extends InternalOperationId>(
  id: Id,
  input: Partial<InputOf<Operations[Id]>>,
  headers?: Readonly<Record<string, string>>,
) => Promise<Parsed<Operations[Id]>>;

/** The parsed JSON of an answer, or its bytes if the operation declares another content type. */
type Parsed<T extends OperationDeclaration> = T['response'] extends { contentType: string }
  ? Buffer
  : ResultOf<T>;

const CALL_TIMEOUT_MS = 3_000;
const ATTEMPTS_MIN = 2;
/** A Date header has whole seconds, and Node makes it once a second. */
const DATE_HEADER_MS = 2_000;
const BROKEN_CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENOTFOUND']);

interface Message {
  method: string;
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
}): { call: CallInternal; close(): void } {
  const agents = openAgents(options.tls);
  const principal = { type: 'service', service: options.service } as const;
  let nextReplica = 0;

  function replicasOf(service: ServiceName): string[] {
    const replicas = options.urls[service]?.split(',') ?? [];
    if (replicas.length === 0) throw new Error(`no URL is configured for ${service}`);
    return replicas.map((url) => url.trim());
  }

  /** Tries one replica after another while connections break; internal operations are safe to repeat. */
  async function ask(service: ServiceName, path: string, message: Message): Promise<Buffer> {
    const replicas = replicasOf(service);
    const attemptsMax = Math.max(ATTEMPTS_MIN, replicas.length);
    // Concurrent calls must not lead this one back to the replica that has just failed.
    const first = nextReplica;
    nextReplica += 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const replica = replicas[(first + attempt - 1) % replicas.length];
        return await send(new URL(path, replica), agents, message);
      } catch (error) {
        if (attempt >= attemptsMax || !isBrokenConnection(error)) throw error;
      }
    }
  }

  const call: CallInternal = async (id, input, headers = {}) => {
    const operation = internalOperations[id];
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent((input.params as Record<string, string> | undefined)?.[name] ?? ''),
    );
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(input.query ?? {})) query.set(camelCase(name), String(value));
    const { response, timeoutMs = CALL_TIMEOUT_MS } = operation as Operation;
    const body = input.body ? JSON.stringify(input.body) : undefined;
    const token = await options.identity.sign(principal, operation.service);
    const traceparent = options.tracing.current();
    const bytes = await ask(operation.service, `${path}${query.size ? `?${query}` : ''}`, {
      method: operation.method,
      headers: {
        [internalHeaders.identity]: token,
        ...headers,
        ...(traceparent && { [TRACEPARENT]: traceparent }),
        ...(body && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }),
      },
      body,
      timeoutMs,
      clock: options.clockOf(operation.service),
    });
    if (response.contentType !== undefined) return bytes as Parsed<Operations[typeof id]>;
    return bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
  };
  return { call, close: () => Object.values(agents).forEach((agent) => void agent.destroy()) };
}

type Agents = ReturnType<typeof openAgents>;

function openAgents(tls: ServiceTls) {
  const settings = { keepAlive: true, maxSockets: 64, timeout: 4_000 };
  const secure = new https.Agent(settings);
  secure.createConnection = ({ host, port }, callback) => {
    tls.connect({ host: host ?? 'localhost', port: Number(port) }, callback ?? (() => undefined));
    return undefined;
  };
  return { plain: new http.Agent(settings), secure };
}

function isBrokenConnection(error: unknown): boolean {
  const cause = (error as { cause?: { code?: string } }).cause;
  return cause?.code !== undefined && BROKEN_CONNECTION.has(cause.code);
}

function send(url: URL, agents: Agents, message: Message): Promise<Buffer> {
  const { body, timeoutMs, clock, ...options } = message;
  const sentTicksMs = clock.ticksMs();
  return new Promise((resolve, reject) => {
    const unavailable = (cause: unknown) => reject(new ApiError('SERVICE_UNAVAILABLE', { cause }));
    const signal = AbortSignal.timeout(timeoutMs);
    const request =
      url.protocol === 'https:'
        ? https.request(url, { ...options, agent: agents.secure, signal })
        : http.request(url, { ...options, agent: agents.plain, signal });
    request.on('error', unavailable);
    request.on('response', (response) => {
      const earliestMs = Date.parse(response.headers.date ?? '');
      if (!Number.isNaN(earliestMs)) {
        clock.observe({ sentTicksMs, earliestMs, latestMs: earliestMs + DATE_HEADER_MS });
      }
      const chunks: Buffer[] = [];
      response.on('error', unavailable);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        if (response.statusCode! < 300) resolve(bytes);
        else reject(errorFrom(bytes.toString()));
      });
    });
    request.end(body);
  });
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
