import {
  type Method,
  type PathOf,
  type paths,
  unwrap,
  type WaymarkClient,
  WaymarkError,
} from '@waymark/client/api';

type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;

type Values<O, In extends 'path' | 'query' | 'header'> = O extends {
  parameters: { [K in In]?: infer V };
}
  ? [NonNullable<V>] extends [never]
    ? unknown
    : NonNullable<V>
  : unknown;
type Body<O> = { [K in keyof O as K extends 'requestBody' ? 'body' : never]: Json<O[K]> };
type Input<O> = Values<O, 'path'> & Values<O, 'query'> & Body<O>;
type Init<O> = Pick<RequestInit, 'signal' | 'keepalive'> & {
  bodySerializer?: () => BodyInit;
  headers?: Values<O, 'header'> & { 'X-Request-Id'?: string; 'Content-Type'?: string };
};
type Answer<O> = O extends { responses: infer R }
  ? { [S in keyof R]: S extends 200 | 201 | 202 ? Json<R[S]> : never }[keyof R]
  : never;
type Json<R> = R extends { content: { 'application/json': infer Value } } ? Value : never;

type Given<O> =
  object extends Input<O> ? [input?: Input<O>, init?: Init<O>] : [input: Input<O>, init?: Init<O>];
type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...given: Given<Operation<P, M>>
) => Promise<Answer<Operation<P, M>>>;

/** A call of each operation by its path. It returns the answer, or throws WaymarkError. */
export type Api = { readonly [M in Method]: Call<M> };

/**
 * Returns the calls of a client: `api.patch('/views/{id}', { id, body: { name } })`. The input has the
 * parameters of the path and of the query, and the body.
 */
export function callsOf(client: WaymarkClient): Api {
  // The client has the types of each path, not of any path.
  const request = client.request as unknown as (...given: unknown[]) => Parameters<typeof unwrap>[0];
  const call =
    (method: Method) =>
    (path: string, { body, ...parameters }: { body?: unknown } = {}, init: object = {}) => {
      const ofPath = (isOfPath: boolean) =>
        Object.fromEntries(
          Object.entries(parameters).filter(([name]) => path.includes(`{${name}}`) === isOfPath),
        );
      const params = { path: ofPath(true), query: ofPath(false) };
      return unwrap(request(method, path, { ...init, params, body }));
    };
  return {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
  } as Api;
}

/** Whether the server refused a request with this code. */
export const hasCode = (error: unknown, code: string): error is WaymarkError =>
  error instanceof WaymarkError && error.code === code;
