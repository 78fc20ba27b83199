import { createHash } from 'node:crypto';
import {
  ApiError,
  type BatchItemResult,
  type BatchOperation,
  batchedOperations,
  batchParametersOf,
  camelCase,
  type ErrorBody,
  errorBody,
  MEBIBYTE,
} from '@waymark/contracts';
import { Created } from '../http/handlers.ts';
import { namedWorkspace } from '../http/named-workspace.ts';
import { checkCaller, type RequestContext } from '../http/request-context.ts';
import type { Commit } from './commit.ts';
import { countWrites } from './database.ts';
import type { Transaction } from './transaction.ts';

/** The idempotency record of a transaction has its results; MongoDB stores at most 16 MiB in a document. */
const RESULT_BYTES_MAX = 8 * MEBIBYTE;

const parameterNames: Record<string, string[]> = Object.fromEntries(
  Object.values(batchedOperations).map((one) => [one.id, Object.keys(batchParametersOf(one))]),
);

type Handle = (call: unknown) => unknown;

interface BatchPart {
  atomic?: boolean | undefined;
  operations: BatchOperation[];
}

/** Ends the transaction of a batch: an operation was refused after it had written. */
class OperationRefused extends ApiError {
  readonly index: number;

  constructor(index: number, { code, details }: ApiError) {
    super(code as 'CONFLICT', details);
    this.index = index;
  }
}

/**
 * Does the operations of a batch in order by the handlers of a service, each with the checks of its own
 * request. An atomic batch is one transaction. In another one, an operation that is refused after it has
 * written ends the transaction, because MongoDB cannot undo a part of one, and the next ones begin another.
 */
export async function runBatch(
  commit: Commit,
  ctx: RequestContext,
  { atomic, operations }: BatchPart,
  handlers: object,
): Promise<{ results: BatchItemResult[]; refused: { index: number; error: ErrorBody } | null }> {
  const errorOf = (error: ApiError) => errorBody(error, ctx.requestId);
  const refusalOf = (error: ApiError) => ({ status: error.status, body: null, error: errorOf(error) });

  async function runItems(tx: Transaction, start: number, end: number): Promise<BatchItemResult[]> {
    const results: BatchItemResult[] = [];
    let bytes = 0;
    for (let index = start; index < end && (atomic || bytes < RESULT_BYTES_MAX); index += 1) {
      const writesBefore = countWrites(tx.session);
      try {
        const result = await runItem(ctx, operations[index]!, handlers, tx);
        bytes += Buffer.byteLength(JSON.stringify(result));
        if (atomic && bytes > RESULT_BYTES_MAX) throw tooLarge();
        results.push(result);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        if (atomic || countWrites(tx.session) > writesBefore) throw new OperationRefused(index, error);
        results.push(refusalOf(error));
      }
    }
    return results;
  }

  /** Does the operations from `start`, at most to the first that is refused after it has written. */
  async function runSegment(start: number): Promise<BatchItemResult[]> {
    let refused: OperationRefused | null = null;
    for (;;) {
      const end: number = refused?.index ?? operations.length;
      const refusal = refused && refusalOf(refused);
      try {
        return await commit(segmentContext(ctx, start), async (tx) => {
          const results = await runItems(tx, start, end);
          return refusal && start + results.length === end ? [...results, refusal] : results;
        });
      } catch (error) {
        if (!(error instanceof OperationRefused)) throw error;
        refused = error;
      }
    }
  }

  if (atomic) {
    try {
      const results = await commit(ctx, (tx) => runItems(tx, 0, operations.length));
      return { results, refused: null };
    } catch (error) {
      if (!(error instanceof OperationRefused)) throw error;
      return { results: [], refused: { index: error.index, error: errorOf(error) } };
    }
  }
  const results: BatchItemResult[] = [];
  while (results.length < operations.length) results.push(...(await runSegment(results.length)));
  return { results, refused: null };
}

function tooLarge(): ApiError {
  const message = `The changed records exceed ${RESULT_BYTES_MAX / MEBIBYTE} MiB; send fewer in one atomic batch.`;
  return new ApiError('LIMIT_EXCEEDED', { message });
}

/** A segment that is stored stays so when a repeat of the batch continues after a crash. */
function segmentContext(ctx: RequestContext, start: number): RequestContext {
  if (!ctx.idempotency) return ctx;
  const id = createHash('sha256').update(`${ctx.idempotency.id}\0${start}`).digest('hex');
  return { ...ctx, idempotency: { ...ctx.idempotency, id } };
}

async function runItem(
  ctx: RequestContext,
  item: BatchOperation,
  handlers: object,
  tx: Transaction,
): Promise<BatchItemResult> {
  const operation = batchedOperations[item.operation];
  const handle = (handlers as Record<string, Handle | undefined>)[item.operation];
  if (!handle) throw new ApiError('NOT_FOUND');
  checkCaller(operation, ctx.principal);
  const own = ctx.itemContext(operation, item.if_match, tx);
  const parameters = parameterNames[item.operation]!;
  const params = Object.fromEntries(parameters.map((name) => [camelCase(name), item[name]]));
  const inQuery = Object.fromEntries(parameters.map((name) => [name, item[name]]));
  const query = { workspace_id: ctx.access.workspaceId, ...inQuery };
  const body = item.body ?? {};
  const workspaceId = namedWorkspace(operation, ctx.principal, { params, query, body });
  if (workspaceId) await own.authorize(workspaceId);
  const result = await handle({ ctx: own, params, query, body });
  if (result instanceof Created) return { status: 201, body: result.record as Body, error: null };
  return { status: operation.response.status, body: (result as Body | undefined) ?? null, error: null };
}

type Body = Record<string, unknown>;
