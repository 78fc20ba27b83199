import {
  type ApiError,
  errorBody,
  errorHeaders,
  type Operation,
  operations,
  type PublicOperationId,
  recordOf,
} from '@waymark/contracts';
import type { z } from 'zod';
import type { GatewayResponse } from '../request-state.ts';
import type { CallGateway, OperationInput } from './inner-client.ts';

type Result<Id extends PublicOperationId> = (typeof operations)[Id] extends {
  response: { schema: infer S extends z.ZodType };
}
  ? z.output<S>
  : null;

/** Calls an operation with arguments that have the names of its path, query and body. */
export type CallOperation = <Id extends PublicOperationId>(
  id: Id,
  given: Readonly<Record<string, unknown>>,
  headers?: Record<string, string>,
) => Promise<Result<Id>>;

/** The refusal of an operation, as its error body says it. */
export class OperationRefused extends Error {
  readonly body: Record<string, unknown>;

  constructor(body: Record<string, unknown>) {
    super(String(body['message']));
    this.body = body;
  }
}

/** The body of a refusal, with Retry-After in it, because a tool's result has no headers. */
export function refusalBody(error: ApiError, requestId: string): Record<string, unknown> {
  const retryAfter = errorHeaders(error)['Retry-After'];
  return { ...errorBody(error, requestId), ...(retryAfter && { retryAfterSeconds: Number(retryAfter) }) };
}

/** Path parameters, in the order of the path. */
export const parametersOf = ({ path }: Pick<Operation, 'path'>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);

/** Returns calls in the name of the client of `outer`. They throw OperationRefused. */
export function operationCaller(outer: GatewayResponse, callGateway: CallGateway): CallOperation {
  return async <Id extends PublicOperationId>(
    id: Id,
    given: Readonly<Record<string, unknown>>,
    headers: Record<string, string> = {},
  ) => {
    const operation: Operation = operations[id];
    const { status, text, retryAfterSeconds } = await callGateway(outer, operation, {
      ...inputOf(operation, given),
      headers,
    });
    const body = text === '' ? null : (JSON.parse(text) as unknown);
    if (status < 400) return body as Result<Id>;
    throw new OperationRefused({
      ...(body as Record<string, unknown>),
      ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    });
  };
}

/** Sorts arguments into path, query and body. A name of both, the workspace, goes into the query. */
function inputOf(operation: Operation, given: Readonly<Record<string, unknown>>): OperationInput {
  const params = parametersOf(operation);
  const query = recordOf(operation.query)?.shape ?? {};
  const input = { params: {}, query: {}, body: {} } as Required<
    Record<'params' | 'query', Record<string, string>>
  > & {
    body: Record<string, unknown>;
  };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (params.includes(name)) input.params[name] = String(value);
    else if (name in query) input.query[name] = String(value);
    else input.body[name] = value;
  }
  return operation.body ? input : { params: input.params, query: input.query };
}
