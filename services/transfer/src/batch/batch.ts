import type { IncomingMessage } from 'node:http';
import {
  ApiError,
  type BatchCreate,
  type BatchItemResult,
  type BatchOperation,
  type BatchResults,
  type BatchService,
  batchServiceOf,
  delegatedIdentityHeader,
  type ErrorBody,
  type ErrorCode,
  errorOf,
  headers,
  internalHeaders,
  newId,
} from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { TransferContext } from '../context.ts';

const PARTS = {
  decisions: 'applyDecisionBatch',
  workflows: 'applyGraphBatch',
  threads: 'applyMessageBatch',
} as const satisfies Record<BatchService, string>;

/** Consecutive operations of one service. */
interface Run {
  service: BatchService;
  operations: BatchOperation[];
}

/** Sends each service its operations, in the name of the caller and in the order of the batch. */
export async function batch(
  { call, commit }: TransferContext,
  ctx: RequestContext,
  { atomic = false, operations }: BatchCreate,
  request: IncomingMessage,
): Promise<BatchResults> {
  // Claims the key for this body, whatever of it was done before a crash. Each part has a key of its own.
  if (ctx.idempotency) await commit(ctx, async () => null);
  const batchId = ctx.idempotency?.id ?? newId();
  const results: BatchItemResult[] = [];
  for (const run of runsOf(operations)) {
    const part = await call(
      PARTS[run.service],
      {
        query: { workspace_id: ctx.access.workspaceId },
        body: { atomic, operations: run.operations },
      },
      headersFor(ctx, request, run, `batch:${batchId}:${results.length}`),
    );
    if (part.refused) throw refusalOf(operations, part.refused);
    results.push(...part.results);
  }
  return { results };
}

function runsOf(operations: BatchOperation[]): Run[] {
  const runs: Run[] = [];
  for (const operation of operations) {
    const service = batchServiceOf(operation);
    const last = runs.at(-1);
    if (last?.service === service) last.operations.push(operation);
    else runs.push({ service, operations: [operation] });
  }
  return runs;
}

function headersFor(ctx: RequestContext, request: IncomingMessage, run: Run, key: string) {
  const identity = request.headers[delegatedIdentityHeader(run.service)];
  if (typeof identity !== 'string') throw new ApiError('UNAUTHORIZED');
  const { clientAddress, userAgent, deadlineMs, requestId } = ctx;
  const leftMs = Math.max(0, Math.floor(deadlineMs - performance.now()));
  return {
    [internalHeaders.identity]: identity,
    [internalHeaders.requestId]: requestId,
    ...(clientAddress !== null && { [internalHeaders.clientAddress]: clientAddress }),
    ...(userAgent !== null && { [internalHeaders.userAgent]: userAgent }),
    ...(Number.isFinite(leftMs) && { [internalHeaders.timeoutMs]: String(leftMs) }),
    // A call is repeated when its connection breaks, also for a client that sends no key.
    [headers.idempotencyKey.toLowerCase()]: key,
    [headers.batchSize.toLowerCase()]: String(run.operations.length),
  };
}

interface Refusal {
  index: number;
  error: ErrorBody;
}

/** The error of an atomic batch: that of one operation, which its paths name. */
function refusalOf(operations: BatchOperation[], { index, error }: Refusal): ApiError {
  const path = `operations.${index}`;
  const { message = error.error, reason, issues = [] } = error;
  const place = operations[index]?.body === undefined ? path : `${path}.body`;
  const named = issues.map((issue) => ({
    path: issue.path === 'body' ? place : `${place}.${issue.path}`,
    message: issue.message,
  }));
  return errorOf(error.error as ErrorCode, {
    message: `${path}: ${message}`,
    ...(reason && { reason }),
    issues: named.length > 0 ? named : [{ path, message }],
  });
}
