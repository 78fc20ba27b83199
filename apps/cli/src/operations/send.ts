import { createWaymarkClient, WaymarkError } from '@waymark/client';
import type { Operation } from '@waymark/contracts';
import { callFailure } from '../output/call-failure.ts';
import type { Connection } from '../profiles/connection.ts';

export interface CallInput {
  path: Record<string, string>;
  query: Record<string, unknown>;
  body?: unknown;
  headers: Record<string, string>;
}

/** A request of any operation. The table has checked it, as the client's types check a known one. */
type Send = (
  method: Lowercase<Operation['method']>,
  path: string,
  init: Record<string, unknown>,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Its calls throw CommandError for every answer but success. */
export interface Sender {
  (operation: Operation, input: CallInput): Promise<Response>;
  /** Returns the JSON of the answer. */
  json<T>(operation: Operation, input: CallInput): Promise<T>;
}

/** Sends requests of any operation. A `repeatable` command finds out itself which changes were made. */
export function createSender(
  connection: Connection,
  signal?: AbortSignal,
  { repeatable = false }: { repeatable?: boolean } = {},
): Sender {
  // The exit code says what happened, at once: scripts repeat a command themselves.
  const client = createWaymarkClient({ ...connection, retries: 0 });
  async function send(operation: Operation, { path, query, body, headers }: CallInput): Promise<Response> {
    const init = {
      params: { path, query },
      parseAs: 'stream',
      headers,
      ...(signal && { signal }),
      ...(body !== undefined && { body, ...(body instanceof Blob && { bodySerializer: () => body }) }),
    };
    const method = operation.method.toLowerCase() as Lowercase<Operation['method']>;
    const { error, response } = await (client.request as unknown as Send)(method, operation.path, init);
    if (!response.ok) throw new WaymarkError(response, (error ?? {}) as Record<string, unknown>);
    return response;
  }
  async function failing<T>(operation: Operation, { headers }: CallInput, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const idempotencyKey = headers['idempotency-key'];
      const isChange = operation.method !== 'GET' && !repeatable;
      throw await callFailure(error, { baseUrl: connection.baseUrl, idempotencyKey, isChange });
    }
  }
  return Object.assign(
    (operation: Operation, input: CallInput) => failing(operation, input, () => send(operation, input)),
    {
      json: <T>(operation: Operation, input: CallInput) =>
        failing(operation, input, async () => (await (await send(operation, input)).json()) as T),
    },
  );
}
