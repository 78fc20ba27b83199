import { isIPv6, type LookupFunction } from 'node:net';
import { type DeliveryAttempt, type HttpHeader, limits } from '@waymark/contracts';
import { Agent, type Dispatcher, Pool, ProxyAgent, request } from 'undici';
import type { ResolveHost } from '../endpoints/resolve-host.ts';
import { isListed, mayConnect, type TargetRules, targetFault } from '../endpoints/target.ts';

type AttemptResponse = Omit<DeliveryAttempt, 'series' | 'attempt' | 'started_at' | 'request'> & {
  retryAfter: string | null;
};

export interface Post {
  (url: string, headers: Record<string, string>, body: Buffer): Promise<AttemptResponse>;
  /** Reads a document under the same rules. */
  get(url: string): Promise<Pick<AttemptResponse, 'status' | 'response_body'>>;
  close(): Promise<void>;
}

/** Calls `end` after `afterMs`. Returns the function that cancels the call. */
export type Deadline = (end: () => void, afterMs: number) => () => void;

const KEEP_ALIVE_MS = 4_000;
/** Interim responses (1xx) of an attempt: a receiver can send them without end. */
const INTERIM_MAX = 10;
/** The time limit of a document, for which a person waits. */
const DOCUMENT_MS = 4_000;

/** An error whose message is for the endpoint's owner. */
class ReadableError extends Error {}

const timerDeadline: Deadline = (end, afterMs) => {
  const timer = setTimeout(end, afterMs);
  return () => clearTimeout(timer);
};

/**
 * Creates the POST of an attempt, which follows no redirect and connects only to allowed addresses. With an
 * egress proxy, only targets that the operator lists are connected to directly. The proxy resolves names.
 */
export function createPost(options: {
  rules: TargetRules;
  resolveHost: ResolveHost;
  proxyUrl?: string | undefined;
  timeoutMs: number;
  deadline?: Deadline | undefined;
}): Post {
  const { rules, resolveHost, proxyUrl, timeoutMs, deadline = timerDeadline } = options;

  /** Returns only checked addresses, so that a name cannot resolve differently after the check. */
  const lookupFor =
    (origin: URL): LookupFunction =>
    (hostname, { all }, callback) => {
      resolveHost(hostname).then(
        (addresses) => {
          if (!addresses.every((address) => mayConnect(origin, address, rules)))
            return callback(new ReadableError(NO_ADDRESS), '');
          const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
          if (all) callback(null, found);
          else callback(null, found[0]!.address, found[0]!.family);
        },
        (error) => callback(error, ''),
      );
    };
  const connections = {
    allowH2: false,
    // Otherwise a receiver could ask for ten minutes, and keep a socket of this process for each attempt.
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // One timer limits the whole attempt. These two timeouts would never end a response that arrives slowly.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const direct = new Agent({
    ...connections,
    factory: (origin, pooled) =>
      new Pool(origin, { ...pooled, connect: { lookup: lookupFor(new URL(origin)), timeout: timeoutMs } }),
  });
  const proxy = proxyUrl
    ? new ProxyAgent({ ...connections, uri: proxyUrl, connectTimeout: timeoutMs })
    : null;

  async function exchange(url: string, init: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>) {
    const dispatcher = proxy && !isListed(new URL(url), rules) ? proxy : direct;
    const { statusCode, headers, body } = await request(url, { ...init, dispatcher });
    try {
      return {
        status: statusCode,
        error: null,
        response_headers: keptHeaders(headers),
        response_body: await readStart(body),
        retryAfter: String(headers['retry-after'] ?? '') || null,
      };
    } catch (error) {
      throw new ReadableError(`the answer broke off: ${reasonOf(error, timeoutMs)}`);
    }
  }

  async function send(
    url: string,
    init: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>,
    withinMs = timeoutMs,
  ): Promise<AttemptResponse> {
    const startedAtMs = performance.now();
    const timed = (response: Omit<AttemptResponse, 'latency_ms'>) => ({
      latency_ms: Math.round(performance.now() - startedAtMs),
      ...response,
    });
    const failed = (error: string) =>
      timed({ status: null, error, response_headers: null, response_body: null, retryAfter: null });
    // Checks literal addresses, which are not looked up, and rules that are stricter than at registration.
    const fault = targetFault(url, rules);
    if (fault) return failed(`the URL ${fault}`);
    const abort = new AbortController();
    const cancel = deadline(() => abort.abort(), withinMs);
    let interim = 0;
    const onInfo = () => {
      interim += 1;
      if (interim > INTERIM_MAX)
        abort.abort(new ReadableError(`more than ${INTERIM_MAX} responses with 1xx`));
    };
    try {
      return timed(await exchange(url, { ...init, signal: abort.signal, onInfo }));
    } catch (error) {
      return failed(reasonOf(error, timeoutMs));
    } finally {
      cancel();
    }
  }
  const post = (url: string, headers: Record<string, string>, body: Buffer) =>
    send(url, { method: 'POST', headers, body });
  const get = (url: string) =>
    send(url, { method: 'GET', headers: { accept: 'application/json' } }, Math.min(timeoutMs, DOCUMENT_MS));
  const close = async () => void (await Promise.all([direct.destroy(), proxy?.destroy()]));
  return Object.assign(post, { get, close });
}

/** Returns the headers without the values of cookies, which may give access to the receiver's systems. */
function keptHeaders(headers: Dispatcher.ResponseData['headers']): HttpHeader[] {
  return Object.entries(headers).flatMap(([name, value = '']) =>
    [value].flat().map((one) => ({ name, value: name.toLowerCase() === 'set-cookie' ? '(left out)' : one })),
  );
}

/** Returns the first bytes of a response as text, and drops the rest. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the stream and its connection.
    if (size > limits.webhookResponseBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, limits.webhookResponseKeptBytes).toString('utf8');
}

/** One message for unknown and for private names, so that it reveals nothing about the network. */
const NO_ADDRESS = 'the name does not resolve to an address that webhooks may use';

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: NO_ADDRESS,
  ENODATA: NO_ADDRESS,
  ESERVFAIL: 'the name does not resolve: its name server failed',
  ETIMEOUT: 'the name does not resolve: its name server did not answer',
  UND_ERR_HEADERS_OVERFLOW: 'its headers have more than 16 KiB',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ETIMEDOUT: 'no connection in time',
  EHOSTUNREACH: 'the host is not reachable',
  ENETUNREACH: 'the host is not reachable',
};

/** Returns why there was no response, in words for the endpoint's owner. */
function reasonOf(error: unknown, timeoutMs: number): string {
  type Failure = NodeJS.ErrnoException & AggregateError & { reason: string };
  const { name, code, message, errors, reason } = error as Partial<Failure>;
  // ProxyAgent reports a refusal by its message only.
  const refused = /^Proxy response \((\d+)\)/.exec(message ?? '');
  if (refused) return `the egress proxy refused the connection with ${refused[1]}`;
  if (name === 'AbortError') return `no whole answer within ${timeoutMs} ms`;
  if (error instanceof ReadableError) return error.message;
  // OpenSSL's own message names places in its source.
  if (code?.startsWith('ERR_SSL_') && reason) return `TLS failed: ${reason}`;
  if (errors?.[0]) return reasonOf(errors[0], timeoutMs);
  return (code && REASONS[code]) ?? `${code ?? name}: ${message}`;
}
