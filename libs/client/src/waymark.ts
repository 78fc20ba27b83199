import { type ClientOptions, createWaymarkClient, unwrap, type WaymarkClient } from './client.ts';
import { etagOf, listFields, methods, routes } from './operations.ts';
import { pagesOf } from './pages.ts';
import { IDEMPOTENCY_KEY } from './retries.ts';
import type { operations } from './schema.ts';

type Id = keyof typeof routes & keyof operations;
type Path<I extends Id> = (typeof routes)[I]['path'];
type NamesIn<P extends string> = P extends `${string}{${infer N}}${infer R}` ? [N, ...NamesIn<R>] : [];
type Texts<Names> = { [K in keyof Names]: string };
type Query<I extends Id> = operations[I] extends { parameters: { query?: infer Q } }
  ? NonNullable<Q>
  : object;
type Content<R> = R extends { content: { 'application/json': infer Body } } ? Body : never;
type Body<I extends Id> = operations[I] extends { requestBody?: infer R } ? Content<NonNullable<R>> : never;
type Upload = 'createImport';
type Input<I extends Id> = I extends Upload ? Query<I> : [Body<I>] extends [never] ? Query<I> : Body<I>;
type Answers<I extends Id> = operations[I]['responses'];
type Answer<I extends Id> = {
  [S in keyof Answers<I>]: S extends 200 | 201 | 202 ? Open<Content<Answers<I>[S]>> : never;
}[keyof Answers<I>];
/** Opens each enumeration for values of a newer server. A single value tells members of a union apart. */
type Open<T, All = T> = T extends string
  ? [Extract<All, string>] extends [T]
    ? T
    : T | (string & {})
  : T extends object
    ? { [K in keyof T]: Open<T[K]> }
    : T;
/** Answers that are not JSON, such as exports, are read from the Response. */
type Kinds<I extends Id> = {
  [S in keyof Answers<I>]: S extends 200 | 201 | 202
    ? Answers<I>[S] extends { content: infer C }
      ? Exclude<keyof C, 'application/json'>
      : never
    : never;
}[keyof Answers<I>];
type ListPath = keyof typeof listFields;
type ItemIn<P, Field> = Field extends keyof P ? (P[Field] extends (infer Item)[] ? Item : never) : never;
type Result<I extends Id> = [Kinds<I>] extends [never]
  ? [Answer<I>] extends [never]
    ? Promise<void>
    : (typeof routes)[I] extends { method: 'GET'; path: infer P extends ListPath }
      ? Pages<Answer<I>, ItemIn<Answer<I>, (typeof listFields)[P]>>
      : Promise<Answer<I>>
  : Promise<Response>;

export interface CallOptions {
  /** Default: a new key for each call of an operation that takes one. */
  idempotencyKey?: string;
  /** The ETag, or the version, that a change is based on. */
  ifMatch?: string | number;
  /** The most time for the whole call, with its repetitions. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

type Rest<I extends Id> =
  object extends Input<I>
    ? [input?: Input<I>, options?: CallOptions]
    : [input: Input<I>, options?: CallOptions];
/** The ids of the path, the file of an upload, the fields of the query or the body, and options. */
type Method<I extends Id> = (
  ...given: [...Texts<NamesIn<Path<I>>>, ...(I extends Upload ? [file: Blob] : []), ...Rest<I>]
) => Result<I>;

type MethodsOf<T> = {
  readonly [K in keyof T]: T[K] extends Id ? Method<T[K]> : MethodsOf<T[K]>;
};
/** A method for each operation: `waymark.decisions.create({ title })`. `api` has the calls by path. */
export type Waymark = MethodsOf<typeof methods> & { readonly api: WaymarkClient };

/** A list: `await` reads one page, `for await` the items of all pages. Throws WaymarkError. */
export class Pages<Page, Item> implements PromiseLike<Page>, AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Page>;
  readonly #field: string;

  constructor(read: (cursor: string | undefined) => Promise<Page>, field: string) {
    this.#read = read;
    this.#field = field;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited.
  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#read(undefined).then(onPage, onError);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    const read = this.#read as (cursor: string | undefined) => Promise<Page & { next_cursor: string | null }>;
    for await (const page of pagesOf(read)) yield* (page as Record<string, unknown>)[this.#field] as Item[];
  }
}

/**
 * Creates a client with a method for each operation. Without options, the address and the key come from
 * WAYMARK_URL and WAYMARK_API_KEY. Its calls resolve to the answer, or throw WaymarkError.
 */
export function createWaymark(options: Partial<ClientOptions> = {}): Waymark {
  const env = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env ?? {};
  const baseUrl = options.baseUrl ?? env['WAYMARK_URL'];
  const apiKey = options.apiKey ?? env['WAYMARK_API_KEY'];
  if (!baseUrl) throw new Error('no address is given: pass baseUrl, or set WAYMARK_URL');
  const api = createWaymarkClient({ ...options, baseUrl, ...(apiKey && { apiKey }) });
  const bind = (node: object): object =>
    Object.fromEntries(
      Object.entries(node).map(([name, value]) => [
        name,
        typeof value === 'string' ? methodOf(api, value as Id) : bind(value),
      ]),
    );
  return { ...bind(methods), api } as Waymark;
}

type Fields = Record<string, unknown>;
type Send = (method: string, path: string, init: object) => Promise<{ error?: unknown; response: Response }>;

function methodOf(api: WaymarkClient, id: Id) {
  const { method, path, ...route } = routes[id];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return (...given: unknown[]) => {
    const ids = Object.fromEntries(names.map((name, i) => [name, given[i]]));
    const file = id === 'createImport' ? (given[names.length] as Blob) : undefined;
    const [input = {}, options = {}] = given.slice(names.length + (file ? 1 : 0)) as [Fields?, CallOptions?];
    const read = (cursor?: string) => {
      const query = { ...input, ...(cursor && { cursor }) };
      const fields = 'hasBody' in route ? { body: input } : { query };
      return send(api.request as unknown as Send, { id, method, path, ids, file, ...fields, options });
    };
    const isList = method === 'GET' && path in listFields;
    return isList ? new Pages(read, listFields[path as ListPath]) : read();
  };
}

interface Request {
  id: Id;
  method: string;
  path: string;
  ids: Fields;
  file: Blob | undefined;
  query?: Fields;
  body?: Fields;
  options: CallOptions;
}

async function send(call: Send, { id, method, path, ids, file, query, body, options }: Request) {
  const { idempotencyKey, ifMatch, timeoutMs, signal } = options;
  const signals = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)].filter(
    (each) => each !== undefined,
  );
  const { error, response } = await call(method.toLowerCase(), path, {
    params: { path: ids, query },
    parseAs: 'stream',
    headers: {
      ...(idempotencyKey && { [IDEMPOTENCY_KEY]: idempotencyKey }),
      ...(ifMatch !== undefined && { 'if-match': typeof ifMatch === 'number' ? etagOf(ifMatch) : ifMatch }),
      ...(id === 'batch' && { 'batch-size': String((body as { operations: unknown[] }).operations.length) }),
      ...(file && { 'content-type': file.type || 'application/json' }),
    },
    ...(body && { body }),
    ...(file && { body: file, bodySerializer: () => file }),
    ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
  });
  if (!response.ok) return unwrap(Promise.resolve({ error, response }));
  if (response.status === 204) return undefined;
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return isJson ? response.json() : response;
}
