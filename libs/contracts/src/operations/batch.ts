import { z } from 'zod';
import { CONDITION_PATTERN, etagOf, NOT_A_CONDITION } from '../headers.ts';
import { limits } from '../limits.ts';
import { BatchResults } from '../resources/batch.ts';
import { body, camelCase, isPlainObject, query, respell } from '../schema/body.ts';
import { workspaceInBody } from '../schema/types.ts';
import type { ServiceName } from '../services.ts';
import { decisionOperations } from './decisions.ts';
import { type Operation, operationTable, pathParametersOf } from './operation.ts';
import { takesIfMatch } from './operation-errors.ts';
import { inQueryOrBody, WRITE } from './presets.ts';
import { threadOperations } from './threads.ts';
import { edgeId, workflowOperations } from './workflows.ts';

const { createDecision, updateDecision, putDecisionByExternalId, deleteDecision, restoreDecision } =
  decisionOperations;
const { createNode, updateNode, putNodeByExternalId, deleteNode, restoreNode, createEdge, deleteEdge } =
  workflowOperations;
const { postMessage, updateMessage, deleteMessage, restoreMessage } = threadOperations;
const { postDecisionMessage, updateDecisionMessage, deleteDecisionMessage } = threadOperations;

/** The operations that a batch can contain. */
const batched = {
  createDecision,
  updateDecision,
  putDecisionByExternalId,
  deleteDecision,
  restoreDecision,
  createNode,
  updateNode,
  putNodeByExternalId,
  deleteNode,
  restoreNode,
  createEdge,
  deleteEdge,
  postMessage,
  updateMessage,
  deleteMessage,
  restoreMessage,
  postDecisionMessage,
  updateDecisionMessage,
  deleteDecisionMessage,
} as const;
export const batchedOperations: Readonly<Record<BatchedOperationId, Operation>> = batched;
export type BatchedOperationId = keyof typeof batched;
export const batchServices = ['decisions', 'workflows', 'threads'] as const satisfies ServiceName[];
export type BatchService = (typeof batchServices)[number];

/** An operation with what its own request has in path, query, If-Match and body. */
export interface BatchOperation {
  operation: BatchedOperationId;
  if_match?: string | undefined;
  body?: unknown;
  [parameter: string]: unknown;
}

export const batchServiceOf = ({ operation }: BatchOperation): BatchService => batched[operation].service;

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The parameters of an operation in a batch, in snake_case: those of its path, and the id of an edge. */
export function batchParametersOf(operation: Operation): Record<string, z.ZodType> {
  const inPath = Object.entries(pathParametersOf(operation)).map(([name, one]) => [snakeCase(name), one]);
  return {
    ...Object.fromEntries(inPath),
    ...(operation.id === 'deleteEdge' && { id: edgeId() }),
  };
}

function schemaOf(operation: Operation) {
  const { id, body: own } = operation;
  const parameters = batchParametersOf(operation);
  return query({
    operation: z.literal(id).describe('The operationId'),
    ...parameters,
    ...(takesIfMatch(operation) && {
      if_match: z
        .string()
        .regex(CONDITION_PATTERN, { error: NOT_A_CONDITION })
        .optional()
        .meta({ description: 'The ETag that the change is based on', examples: [etagOf(3)] }),
    }),
    ...(own && { body: own }),
  }).meta({
    id: `Batch${id.charAt(0).toUpperCase()}${id.slice(1)}`,
    description: operation.summary,
    // A body accepts two spellings, so that its schema cannot state that it is required.
    required: ['operation', ...Object.keys(parameters).map(camelCase), ...(own ? ['body'] : [])],
  });
}

const names = Object.keys(batched) as BatchedOperationId[];
const anyOperation = z.discriminatedUnion(
  'operation',
  Object.values(batchedOperations).map(schemaOf) as never,
  { error: `must have one of these operations: ${names.join(', ')}` },
);

/** Accepts both spellings of a parameter. A union by `operation` cannot have a body() as a member. */
const batchOperation = z.preprocess(
  (value, { issues }) => (isPlainObject(value) ? respell(value, camelCase, issues) : value),
  anyOperation,
) as unknown as z.ZodType<BatchOperation>;

export const batchShape = {
  atomic: z
    .boolean()
    .optional()
    .describe('All operations take effect, or none; all must be of decisions, of workflows or of threads'),
  operations: z
    .array(batchOperation)
    .min(1)
    .max(limits.batchOperations)
    .describe('The operations, in the order in which they run'),
};

export const BatchCreate = body({ ...workspaceInBody, ...batchShape }, ({ atomic, operations }, issue) => {
  const services = (operations as BatchOperation[]).map(batchServiceOf);
  const found = [...new Set(services)];
  if (atomic === true && found.length > 1)
    issue('atomic', `needs operations of one service; these are of ${found.join(' and ')}`);
  const most = limits.batchServiceChanges;
  if (services.filter((one, n) => n > 0 && one !== services[n - 1]).length > most)
    issue(
      'operations',
      `must go from one service to another at most ${most} times; put those of each together`,
    );
}).meta({ id: 'BatchCreate' });
export type BatchCreate = z.output<typeof BatchCreate>;

export const batchOperations = operationTable('transfer', {
  batch: {
    route: 'POST /batch',
    summary: `Up to ${limits.batchOperations} changes of decisions, nodes, edges and messages in one request`,
    description:
      'Batch-Size states the number of operations, and every ten cost one mutation. The operations run in order, each with the ' +
      'checks, the event and the audit entry of its own request. Put those of decisions, of workflows and of threads together: ' +
      `at most ${limits.batchServiceChanges} may follow one of another kind. Each succeeds or fails alone, with a result of its own, unless ` +
      'atomic is set: then the first failure is the answer, names its operation, and nothing is stored.',
    ...inQueryOrBody(WRITE),
    batch: true,
    delegates: batchServices,
    body: BatchCreate,
    bodyLimitValues: limits.nodeValues,
    large: true,
    response: { status: 200, schema: BatchResults },
    errors: ['CONFLICT', 'LIMIT_EXCEEDED', 'APPROVAL_REQUIRED', 'PRECONDITION_FAILED'],
  },
});
