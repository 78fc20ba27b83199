import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { Role, Scope } from '../identity/principal.ts';
import type { Bucket, PlanFeature } from '../limits.ts';
import type { AuditAction } from '../resources/audit.ts';
import type { ServiceName } from '../services.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A `feed` is read by programs that cannot send headers, with a token in the URL. Of all API keys, only those
 * of service accounts are a `session_or_service_account`.
 */
export type Caller =
  | 'everyone'
  | 'key_or_session'
  | 'session_or_service_account'
  | 'session'
  | 'feed'
  | 'service';

/**
 * Where a request names its workspace. The gateway checks `query` and `optional`; the service checks the
 * others. The default in query and body is the caller's own workspace; with `optional` there may be none.
 */
export type WorkspaceSource = 'query' | 'query_or_body' | 'optional' | 'path' | 'record' | 'none';

export interface ResponseDeclaration {
  status: 200 | 201 | 202 | 204 | 302;
  /** The operation may also create the record; the handler then returns it as `Created`, for status 201. */
  orCreated?: true;
  /** The path of a created record that can be read, for Location. In braces: fields of the response. */
  location?: `/${string}`;
  /** The JSON body, or the data of each server-sent event. */
  schema?: z.ZodType;
  /** The type of a streamed body, for example `text/csv`. */
  contentType?: string;
  description?: string;
}

export interface OperationDeclaration {
  /** Method and path below the base path, parameters in braces. */
  route: `${Method} /${string}`;
  /** The schemas of parameters of the path that are text; every other one is a UUID. */
  params?: Readonly<Record<string, z.ZodType<string>>>;
  summary: string;
  description?: string;
  caller: Caller;
  scope?: Scope;
  /**
   * A key that expires or has a list of addresses may change settings by it, because the change gives nothing
   * that outlasts the key. Such a key may remove settings as well.
   */
  forRestrictedKeys?: true;
  /** The least role of a session or service account in the workspace. */
  role?: Role;
  bucket: Bucket;
  feature?: PlanFeature;
  workspace: WorkspaceSource;
  query?: z.ZodType;
  body?: z.ZodType;
  /** A body that is not JSON, streamed to the handler. */
  bodyContentTypes?: readonly string[];
  /** Overrides the limit that follows from the caller, see `bodyBytesMax`. */
  bodyLimitBytes?: number;
  /** The most keys and values of a body with free-form data or long lists; others have few. */
  bodyLimitValues?: number;
  response: ResponseDeclaration;
  /** Error codes in addition to those that follow from the other fields. */
  errors?: readonly ErrorCode[];
  /** The record has a version: answers carry an ETag, requests may carry If-Match and If-None-Match. */
  versioned?: true;
  /** The gateway passes the cookies of sign-in to the service. */
  takesSignInCookies?: true;
  /** The answer sets a cookie of the browser, or removes it. */
  setsCookie?: true;
  /** The action in the audit entry. */
  audit?: AuditAction;
  /** The body has `operations`, each of which is checked, audited and answered like a request of its own. */
  batch?: true;
  /** The services that it calls in the name of the caller, with identities that the gateway signs. */
  delegates?: readonly ServiceName[];
  /** The answer may take long. It then starts with white space, because proxies drop idle connections. */
  takesLong?: true;
  /**
   * It never answers NOT_FOUND: a 404 comes from a replica that does not have the operation yet, during an
   * upgrade, and is SERVICE_UNAVAILABLE; internal operations only.
   */
  neverMissing?: true;
  /** The response may have megabytes, as a page of a list may. */
  large?: true;
  /** How long another service waits for the answer; internal operations only. */
  timeoutMs?: number;
}

export interface Operation extends OperationDeclaration {
  id: string;
  service: ServiceName;
  method: Method;
  path: `/${string}`;
}

type PartsOf<Route> = Route extends `${infer M extends Method} ${infer P extends `/${string}`}`
  ? { method: M; path: P }
  : never;
type Served<T extends Record<string, OperationDeclaration>, S extends ServiceName> = {
  readonly [K in keyof T]: T[K] & { id: K; service: S } & PartsOf<T[K]['route']>;
};

export function operationTable<S extends ServiceName, const T extends Record<string, OperationDeclaration>>(
  service: S,
  table: T,
): Served<T, S> {
  const served = Object.entries(table).map(([id, operation]) => {
    const [method, path] = operation.route.split(' ');
    return [id, { ...operation, id, service, method, path }];
  });
  return Object.fromEntries(served) as Served<T, S>;
}

type Combined<Tables extends readonly unknown[]> = Tables extends readonly [infer First, ...infer Rest]
  ? First & Combined<Rest>
  : unknown;

/** Throws when two operations share an id, so that the process does not start. */
export function combineTables<const T extends readonly object[]>(...tables: T): Combined<T> {
  const combined = new Map<string, unknown>();
  for (const [id, operation] of tables.flatMap((table) => Object.entries(table))) {
    if (combined.has(id)) throw new Error(`the operation id ${id} is declared twice; rename one`);
    combined.set(id, operation);
  }
  return Object.fromEntries(combined) as Combined<T>;
}

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

type SchemaOutput<T, Key extends string> = T extends { [K in Key]: infer S extends z.ZodType }
  ? z.output<S>
  : Record<string, never>;

/** The schema of each parameter of the path, by name. */
export function pathParametersOf({ path, params }: Pick<Operation, 'path' | 'params'>) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
  const idOf = (name: string) =>
    z
      .uuid()
      .toLowerCase()
      .describe(`The id of the ${recordNamed(path, name)}`);
  return Object.fromEntries(names.map((name) => [name, params?.[name] ?? idOf(name)]));
}

/** What an id in a path is of: `{id}` in `/api-keys/{id}` is that of an API key. */
function recordNamed(path: string, name: string): string {
  if (name !== 'id') return name.replace(/Id$/, '');
  const [list] = path.slice(0, path.indexOf('/{id}')).split('/').slice(-1);
  return list!.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ').replace('api', 'API');
}

/** The input of a handler: parameters, query and body, parsed, in snake_case. */
export interface InputOf<T extends { path: string }> {
  params: { [K in ParameterNames<T['path']>]: string };
  query: SchemaOutput<T, 'query'>;
  body: SchemaOutput<T, 'body'>;
}

/** The result of a handler: the response body as its schema declares it. */
export type ResultOf<T extends OperationDeclaration> = T['response'] extends {
  schema: infer S extends z.ZodType;
}
  ? z.input<S>
  : undefined;
