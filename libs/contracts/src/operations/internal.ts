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

/** A whole workflow at its largest is written in less. */
const IMPORT_TIMEOUT_MS = 30_000;
/** A page that is late costs an export less than to be begun anew. */
const EXPORT_TIMEOUT_MS = 30_000;

/** What a cached answer depends on: it is stale once an announcement names a tag with a higher version. */
const Tags = z.record(z.string(), z.number());

/** Records of all workspaces in the order of their ids, behind a known one: what projections are rebuilt from. */
const snapshot = <T extends z.ZodType>(record: T) => ({
  ...INTERNAL,
  query: query({
    after: uuid().optional(),
    limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(limits.pageSize),
  }),
  response: { status: 200, schema: z.object({ data: z.array(record) }) } as const,
});

/**
 * A workspace's records as of one moment, which a first call names, page by page. The rows are as WorkspaceExport has them,
 * JSON texts each with a comma before it, behind a line about the page; they go into an export unread. Nothing is counted: that would
 * take longer with each record, before the first byte of an export.
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

/** Removes what a deleted workspace has in a service; called until it is done, and once more when no late write can come. */
const purge = {
  ...INTERNAL,
  route: 'POST /internal/workspaces/{id}/purge',
  summary: 'Remove what a deleted workspace has here',
  response: { status: 200, schema: z.object({ is_done: z.boolean() }) },
} as const;

/**
 * A portion of an import, in one transaction, stored once however often it comes, and by whichever replica. What the
 * workspace has already is left as it is there; throws CONFLICT for an id of another workspace.
 */
const imported = <const S extends z.core.$ZodLooseShape, R extends z.ZodType>(records: S, told: R) =>
  ({
    ...INTERNAL,
    bodyLimitBytes: limits.importWorkflowBytes,
    timeoutMs: IMPORT_TIMEOUT_MS,
    body: body({ ...inWorkspace, portion: z.string().max(200), ...records }),
    response: { status: 200, schema: told },
  }) as const;

/** How many records are new; which ones are neither that nor there already. The rest is there. */
const StoredOrLeftOut = z.object({ stored: z.number().int(), left_out: z.array(z.string()) });
/** Decisions that are there in another state than the file's: they stay as they are, and so does what they have. */
const unlike = () => z.array(uuid());

/** Which ids a workspace has already, and which another one has. */
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
        supersedes: z.record(uuid(), uuid()).optional().describe('What decisions that are here supersede'),
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
    summary: 'The workspace itself as an export names it; null when there is none',
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
    summary: 'Which of these events the audit log holds: the others must stay in their outbox',
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
    summary: 'The moment that an export of a workspace is of, and the collections that hold something of it',
    ...exportedDecisions.begin,
  },
  readDecisionsForExport: {
    route: 'GET /internal/exports/decisions/rows',
    summary: 'A page of one collection of a workspace, as of a moment',
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
    summary: 'Store decisions of an import, scored anew',
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
    summary: 'Check a workflow of an import with its graph, and store it unless that is all',
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
    summary: 'The moment that an export of a workspace is of, and the collections that hold something of it',
    ...exportedThreads.begin,
  },
  readThreadsForExport: {
    route: 'GET /internal/exports/threads/rows',
    summary: 'A page of one collection of a workspace, as of a moment',
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
    summary: 'The moment that an export of a workspace is of, and the collections that hold something of it',
    ...exportedWorkflows.begin,
  },
  readWorkflowsForExport: {
    route: 'GET /internal/exports/workflows/rows',
    summary: 'A page of one collection of a workspace, as of a moment',
    ...exportedWorkflows.read,
  },
  resolveNode: {
    route: 'GET /internal/nodes/{id}',
    summary: 'Where a node belongs, and in which of its lives it is; null when there is none',
    // Who posts on a node that is known goes on without an answer, and must do so before a gateway gives up.
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
