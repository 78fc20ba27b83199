import createFetchClient, {
  type Client,
  type FetchOptions,
  type FetchResponse,
  type ParseAs,
} from 'openapi-fetch';
import { BASE_PATH, idempotentPaths, uploadPaths, VERSION } from './operations.ts';
import { IDEMPOTENCY_KEY, retryAfterOf, withRetries, withTimeout } from './retries.ts';
import type { paths } from './schema.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];
type Options<P extends keyof paths, M extends Method, A> = Omit<FetchOptions<paths[P][M]>, 'parseAs'> & {
  parseAs?: A;
};

/**
 * A call as openapi-fetch types it, but without inferring the type of its options: TypeScript then refuses a
 * field that a body or a query does not have.
 */
type Call<M extends Method> = <P extends PathOf<M>, A extends ParseAs = 'json'>(
  path: P,
  ...options: object extends Options<P, M, A> ? [Options<P, M, A>?] : [Options<P, M, A>]
) => Promise<FetchResponse<NonNullable<paths[P][M]>, { parseAs: A }, `${string}/${string}`>>;

type FetchClient = Client<paths, `${string}/${string}`>;
export type WaymarkClient = Pick<FetchClient, 'request' | 'use' | 'eject'> & {
  [M in Method as Uppercase<M>]: Call<M>;
};

export interface ClientOptions {
  /** The address of the installation, `https://waymark.example`; `/v1` may follow. */
  baseUrl: string;
  /** Without a key, a browser sends its session cookie. */
  apiKey?: string;
  /** How often a request is repeated. Default 2 with an API key, 0 without. */
  retries?: number;
  /** How long to wait for an answer to begin. Default 60,000 with an API key, 0 (no limit) without. */
  timeoutMs?: number;
  /** Replaces the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * Creates a typed client: `client.GET('/decisions', { params: { query: { workspaceId } } })`. Its calls
 * resolve to `{data, error, response}`; `unwrap` returns the data or throws. With retries, each POST that
 * takes an Idempotency-Key gets one.
 */
export function createWaymarkClient(options: ClientOptions): WaymarkClient {
  const { apiKey, retries = apiKey ? 2 : 0, timeoutMs = apiKey ? 60_000 : 0 } = options;
  // A repetition would have to keep the file in memory.
  const uploads = new WeakSet<Request>();
  const isUpload = (request: Request) => uploads.has(request);
  const given = options.fetch ?? globalThis.fetch;
  const fetch = timeoutMs > 0 ? withTimeout(given, timeoutMs, isUpload) : given;
  const client = createFetchClient<paths>({
    baseUrl: withBasePath(options.baseUrl),
    querySerializer: { array: { style: 'form', explode: false } },
    fetch: retries > 0 ? withRetries(fetch, { retries, isOnce: isUpload }) : fetch,
    ...(apiKey
      ? { headers: { authorization: `Bearer ${apiKey}`, 'user-agent': `waymark-typescript/${VERSION}` } }
      : { credentials: 'same-origin' }),
  });
  client.use({
    onRequest({ request, schemaPath }) {
      if (uploadPaths.has(schemaPath)) uploads.add(request);
      if (retries === 0) return;
      const takesKey = request.method === 'POST' && idempotentPaths.has(schemaPath);
      if (takesKey && !request.headers.has(IDEMPOTENCY_KEY)) {
        request.headers.set(IDEMPOTENCY_KEY, crypto.randomUUID());
      }
    },
  });
  return client as WaymarkClient;
}

/** Adds the base path to the address of an installation. A page of it may give the path alone. */
function withBasePath(address: string): string {
  const plain = address.replace(/\/+$/, '');
  return URL.canParse(plain) && new URL(plain).pathname === '/' ? plain + BASE_PATH : plain;
}

export interface Issue {
  /** The field, for example `tags.0`, or the parameter. */
  path: string;
  message: string;
}

/** Thrown for a request that was refused or failed. `code` is the error code in the body of the answer. */
export class WaymarkError extends Error {
  readonly code: string;
  readonly status: number;
  /** Identifies the request for the operator of the installation; null when the answer has no id. */
  readonly requestId: string | null;
  readonly issues: Issue[];
  /** Which of the reasons of the code it is; FORBIDDEN and RATE_LIMITED have one. */
  readonly reason: string | null;
  readonly requiredScope: string | null;
  /** The address of the page that explains the code. */
  readonly docs: string | null;
  /** Seconds after which a retry may succeed, when the answer says so. */
  readonly retryAfterSeconds: number | null;

  constructor(response: Response, body: Record<string, unknown>) {
    super(typeof body['message'] === 'string' ? body['message'] : `The answer was ${response.status}.`);
    this.name = 'WaymarkError';
    this.code = typeof body['error'] === 'string' ? body['error'] : `HTTP_${response.status}`;
    this.status = response.status;
    this.requestId = response.headers.get('x-request-id');
    this.issues = Array.isArray(body['issues']) ? (body['issues'] as Issue[]) : [];
    this.reason = typeof body['reason'] === 'string' ? body['reason'] : null;
    this.requiredScope = typeof body['requiredScope'] === 'string' ? body['requiredScope'] : null;
    const docs = typeof body['docs'] === 'string' ? body['docs'] : '';
    this.docs = docs && URL.canParse(docs, response.url) ? new URL(docs, response.url).href : null;
    this.retryAfterSeconds = retryAfterOf(response);
    // The stack is what Node prints of an error that nobody catches.
    if (this.stack) this.stack = this.stack.replace(this.message, () => this.#text());
  }

  override toString(): string {
    return `${this.name}: ${this.#text()}`;
  }

  #text(): string {
    const id = this.requestId && ` (request ${this.requestId})`;
    return [`${this.code}: ${this.message}`, id, this.docs && ` See ${this.docs}`].filter(Boolean).join('');
  }
}

/** Returns the data of a call that succeeded. Throws WaymarkError for every other answer. */
export async function unwrap<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (!response.ok) throw new WaymarkError(response, (error ?? {}) as Record<string, unknown>);
  return data as NonNullable<T>;
}
