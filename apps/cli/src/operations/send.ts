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

/**
 * Calls an operation, and returns its response or what `read` makes of it. Throws CommandError for every
 * answer but success.
 */
export type Sender = <T = Response>(
  operation: Operation,
  input: CallInput,
  read?: (response: Response) => Promise<T>,
) => Promise<T>;

/** Reads the JSON of an answer. */
export const json = <T>(response: Response) => response.json() as Promise<T>;

/** Sends requests of any operation. A `repeatable` command finds out itself which changes were made. */
export function createSender(
  connection: Connection,
  signal?: AbortSignal,
  { repeatable = false }: { repeatable?: boolean } = {},
): Sender {
  // The exit code says what happened, at once: scripts repeat a command themselves.
  const client = createWaymarkClient({ ...connection, retries: 0 });
  return async <T>(operation: Operation, input: CallInput, read?: (response: Response) => Promise<T>) => {
    const { path, query, body, headers } = input;
    const init = {
      params: { path, query },
      parseAs: 'stream',
      headers,
      ...(signal && { signal }),
      ...(body !== undefined && { body, ...(body instanceof Blob && { bodySerializer: () => body }) }),
    };
    const method = operation.method.toLowerCase() as Lowercase<Operation['method']>;
    try {
      const { error, response } = await (client.request as unknown as Send)(method, operation.path, init);
      if (!response.ok) throw new WaymarkError(response, (error ?? {}) as Record<string, unknown>);
      return (read ? await read(response) : response) as T;
    } catch (error) {
      const idempotencyKey = headers['idempotency-key'];
      const isChange = operation.method !== 'GET' && !repeatable;
      const isSetting = operation.caller === 'session_or_service_account';
      throw await callFailure(error, { baseUrl: connection.baseUrl, idempotencyKey, isChange, isSetting });
    }
  };
}
