import { z } from 'zod';
import { KeyPrincipal, Membership } from '../identity/principal.ts';
import { limits } from '../limits.ts';
import { Decision } from '../resources/decision.ts';
import {
  ImportedDecision,
  ImportedEdge,
  ImportedHistory,
  ImportedMessage,
  ImportedNode,
  ImportedOutcome,
  ImportedThread,
  ImportedWorkflow,
} from '../resources/imported.ts';
import { Message } from '../resources/thread.ts';
import { Node, Workflow } from '../resources/workflow.ts';
import { body, query } from '../schema/body.ts';
import { inWorkspace, time, uuid } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { INTERNAL } from './presets.ts';

/** Enough for the largest possible workflow. */
const IMPORT_TIMEOUT_MS = 30_000;
/** Waiting for a late page costs less than starting an export again. */
const EXPORT_TIMEOUT_MS = 30_000;

/** The versions that a cached answer depends on; it is stale once an invalidation has a higher one. */
const Tags = z.record(z.string(), z.number());

/** Records of all workspaces after an id, in the order of their ids, to rebuild projections from. */
const snapshot = <T extends z.ZodType>(record: T) => ({
  ...INTERNAL,
  query: query({
    after: uuid().optional(),
    limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(limits.pageSize),
  }),
  response: { status: 200, schema: z.object({ data: z.array(record) }) } as const,
});

/**
 * Reads a workspace page by page, as of one moment that the first call returns. A page is a line of metadata,
 * then the rows of WorkspaceExport as JSON, each followed by a comma, so that an export copies them without
 * parsing. Nothing is counted in advance, because that would delay the first byte of a large export.
 */
const exported = <const C extends readonly [string, ...string[]]>(collections: C) => ({
  begin: {
    ...INTERNAL,
    timeoutMs: EXPORT_TIMEOUT_MS,
    query: query({ ...inWorkspace }),
    response: {
      status: 200,
      schema: z.object({ as_of: z.string(), held: z.array(z.enum(collections)) }),
    } as const,
  },
  read: {
    ...INTERNAL,
    timeoutMs: EXPORT_TIMEOUT_MS,
    query: query({
      ...inWorkspace,
      collection: z.enum(collections),
      as_of: z.string().regex(/^\d{1,20}$/),
      after: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(limits.exportPageSizeMax),
    }),
    response: { status: 200, contentType: 'application/octet-stream' } as const,
  },
});
const exportedDecisions = exported(['decisions', 'outcomes', 'history', 'links']);
const exportedWorkflows = exported(['workflows', 'nodes', 'edges']);
const exportedThreads = exported(['threads', 'messages']);

/**
 * Removes the data of a deleted workspace: called until done, and once more after the last possible late
 * write.
 */
const purge = {
  ...INTERNAL,
  route: 'POST /internal/workspaces/{id}/purge',
  summary: 'Delete the data of a deleted workspace in this service',
  response: { status: 200, schema: z.object({ is_done: z.boolean() }) },
} as const;

/**
 * Stores a portion of an import in one transaction, and only once even if several replicas receive it.
 * Records that the workspace already has stay as they are. Throws CONFLICT for an id of another workspace.
 */
const imported = <const S extends z.core.$ZodLooseShape, R extends z.ZodType>(records: S, told: R) =>
  ({
    ...INTERNAL,
    bodyLimitBytes: limits.importWorkflowBytes,
    timeoutMs: IMPORT_TIMEOUT_MS,
    body: body({ ...inWorkspace, portion: z.string().max(200), ...records }),
    response: { status: 200, schema: told },
  }) as const;

/** How many records were stored, and the ids of those left out; the others were present already. */
const StoredOrLeftOut = z.object({ stored: z.number().int(), left_out: z.array(z.string()) });
/** Existing decisions that differ from the file: they and their outcomes and history stay as they are. */
const unlike = () => z.array(uuid());

/** Which ids this workspace has already, and which belong to another one. */
const taken = <const C extends readonly [string, ...string[]]>(collections: C) =>
  ({
    ...INTERNAL,
    body: body({
      ...inWorkspace,
      collection: z.enum(collections),
      ids: z.array(uuid()).max(limits.importPortionRecords),
    }),
    response: {
      status: 200,
      schema: z.object({
        here: z.array(uuid()),
        elsewhere: z.array(uuid()),
        supersedes: z
          .record(uuid(), uuid())
          .optional()
          .describe('By decision of this workspace: the one that it supersedes'),
      }),
    },
  }) as const;

/** Operations between services; the gateway does not route to them and OpenAPI does not show them. */
export const internalAccountOperations = operationTable('accounts', {
  resolveKey: {
    route: 'POST /internal/keys/resolve',
    summary: 'The principal behind the SHA-256 of a key; null when it is unknown, revoked or expired',
    ...INTERNAL,
    body: body({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: {
      status: 200,
      schema: z.object({
        principal: KeyPrincipal.nullable(),
        allowed_ips: z.array(z.string()),
        expires_at: time().nullable(),
        tags: Tags,
      }),
    },
  },
  resolveSession: {
    route: 'POST /internal/sessions/resolve',
    summary: 'The user behind the SHA-256 of a session token; slides its expiry',
    ...INTERNAL,
    body: body({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: {
      status: 200,
      schema: z.object({
        session: z
          .object({ session_id: uuid(), user_id: uuid(), user_name: z.string(), expires_at: time() })
          .nullable(),
        tags: Tags,
      }),
    },
  },
  resolveMembership: {
    route: 'GET /internal/memberships/{userId}',
    summary: 'A user’s role in a workspace, its plan, and since when; null for a non-member',
    ...INTERNAL,
    query: query({ ...inWorkspace }),
    response: {
      status: 200,
      schema: z.object({
        membership: Membership.nullable(),
        member_since: time().nullable(),
        tags: Tags,
      }),
    },
  },
  readWorkspaceForExport: {
    route: 'GET /internal/exports/workspaces/{id}',
    summary: 'The workspace as an export names it; null when it does not exist',
    ...INTERNAL,
    response: {
      status: 200,
      schema: z.object({ workspace: z.object({ id: uuid(), name: z.string() }).nullable() }),
    },
  },
  reportKeyUse: {
    route: 'POST /internal/keys/used',
    summary: 'Last-used times of keys, batched',
    ...INTERNAL,
    body: body({ uses: z.array(z.object({ key_id: uuid(), at: time() })).max(10_000) }),
    response: { status: 204 },
  },
});

export const internalAuditOperations = operationTable('audit', {
  purgeAuditLog: purge,
  filterAuditedEvents: {
    route: 'POST /internal/audited-events',
    summary: 'Which of these events the audit log has; the others must stay in their outbox',
    ...INTERNAL,
    body: body({ ids: z.array(uuid()).max(1_000) }),
    response: { status: 200, schema: z.object({ ids: z.array(uuid()) }) },
  },
});

export const internalDecisionOperations = operationTable('decisions', {
  purgeDecisions: purge,
  snapshotDecisions: {
    route: 'GET /internal/decisions',
    summary: 'Decisions of all workspaces by id; an empty page is the end',
    ...snapshot(Decision),
  },
  beginDecisionsExport: {
    route: 'GET /internal/exports/decisions',
    summary: 'The moment of an export of a workspace, and the collections that have records of it',
    ...exportedDecisions.begin,
  },
  readDecisionsForExport: {
    route: 'GET /internal/exports/decisions/rows',
    summary: 'A page of one collection of a workspace as of a moment',
    ...exportedDecisions.read,
  },
});

export const internalDecisionImports = operationTable('decisions', {
  findTakenDecisions: {
    route: 'POST /internal/imports/decisions/taken',
    summary: 'Which of these ids are taken, and where',
    ...taken(['decisions', 'outcomes']),
  },
  importDecisions: {
    route: 'POST /internal/imports/decisions',
    summary: 'Store decisions of an import, with a new score',
    ...imported(
      { decisions: z.array(ImportedDecision) },
      z.object({ stored: z.number().int(), unlike: unlike() }),
    ),
  },
  importOutcomes: {
    route: 'POST /internal/imports/outcomes',
    summary: 'Store outcomes of an import whose decisions are there',
    ...imported({ outcomes: z.array(ImportedOutcome), unlike: unlike().optional() }, StoredOrLeftOut),
  },
  importHistory: {
    route: 'POST /internal/imports/history',
    summary: 'Store updates of an import whose decisions are there; left out are `decision/version`',
    ...imported({ history: z.array(ImportedHistory), unlike: unlike().optional() }, StoredOrLeftOut),
  },
});

export const internalThreadImports = operationTable('threads', {
  findTakenThreads: {
    route: 'POST /internal/imports/threads/taken',
    summary: 'Which of these ids are taken, and where',
    ...taken(['threads', 'messages']),
  },
  importThreads: {
    route: 'POST /internal/imports/threads',
    summary: 'Store threads of an import',
    ...imported({ threads: z.array(ImportedThread) }, StoredOrLeftOut),
  },
  importMessages: {
    route: 'POST /internal/imports/messages',
    summary: 'Store messages of an import whose threads are there',
    ...imported({ messages: z.array(ImportedMessage) }, StoredOrLeftOut),
  },
});

export const internalWorkflowImports = operationTable('workflows', {
  importWorkflow: {
    route: 'POST /internal/imports/workflows',
    summary: 'Check a workflow of an import with its graph, and store it unless check_only is set',
    ...imported(
      {
        check_only: z.boolean(),
        workflow: ImportedWorkflow,
        nodes: z.array(ImportedNode.extend({ data: z.string() })),
        edges: z.array(ImportedEdge.extend({ condition: z.string().nullable() })),
      },
      StoredOrLeftOut,
    ),
  },
});

export const internalThreadOperations = operationTable('threads', {
  purgeThreads: purge,
  snapshotMessages: {
    route: 'GET /internal/messages',
    summary: 'Messages of all workspaces by id; an empty page is the end',
    ...snapshot(
      z.object({
        workspace_id: uuid(),
        version: z.number().int(),
        /** The version of its node's last deletion before it, 0 for none; absent when its thread is gone. */
        generation: z.number().int().optional(),
        message: Message,
      }),
    ),
  },
  beginThreadsExport: {
    route: 'GET /internal/exports/threads',
    summary: 'The moment of an export of a workspace, and the collections that have records of it',
    ...exportedThreads.begin,
  },
  readThreadsForExport: {
    route: 'GET /internal/exports/threads/rows',
    summary: 'A page of one collection of a workspace as of a moment',
    ...exportedThreads.read,
  },
});

export const internalTransferOperations = operationTable('transfer', { purgeTransfer: purge });

export const internalSearchOperations = operationTable('search', { purgeSearch: purge });

export const internalWebhookOperations = operationTable('webhooks', { purgeWebhooks: purge });

export const internalWorkflowOperations = operationTable('workflows', {
  purgeWorkflows: purge,
  snapshotWorkflows: {
    route: 'GET /internal/workflows',
    summary: 'Workflows of all workspaces by id; an empty page is the end',
    ...snapshot(Workflow),
  },
  snapshotNodes: {
    route: 'GET /internal/nodes',
    summary: 'Nodes of all workspaces by id; an empty page is the end',
    ...snapshot(Node.omit({ data: true })),
  },
  beginWorkflowsExport: {
    route: 'GET /internal/exports/workflows',
    summary: 'The moment of an export of a workspace, and the collections that have records of it',
    ...exportedWorkflows.begin,
  },
  readWorkflowsForExport: {
    route: 'GET /internal/exports/workflows/rows',
    summary: 'A page of one collection of a workspace as of a moment',
    ...exportedWorkflows.read,
  },
  resolveNode: {
    route: 'GET /internal/nodes/{id}',
    summary: 'The workflow and workspace of a node, and its last deletion; null when it does not exist',
    // Without an answer, a post on a known node continues. It must do so before the gateway times out.
    timeoutMs: 1_500,
    ...INTERNAL,
    response: {
      status: 200,
      schema: z.object({
        node: z
          .object({
            id: uuid(),
            workspace_id: uuid(),
            workflow_id: uuid(),
            version: z.number().int(),
            /** The version of its last deletion; 0 for none. */
            generation: z.number().int(),
          })
          .nullable(),
      }),
    },
  },
});
