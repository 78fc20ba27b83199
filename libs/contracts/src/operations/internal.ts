import { z } from 'zod';
import { KeyPrincipal, Membership, roles, SessionPrincipal, scopes } from '../identity/principal.ts';
import { limits } from '../limits.ts';
import { DeviceAuthorization, deviceErrors } from '../oauth/device.ts';
import { ClientMetadata, TokenRequest, Tokens } from '../oauth/grant.ts';
import { BatchItemResult } from '../resources/batch.ts';
import { Decision } from '../resources/decision.ts';
import { ErrorBody } from '../resources/gateway.ts';
import { importedRecords } from '../resources/imported.ts';
import { Notification, Unsubscribed } from '../resources/notification.ts';
import { Message } from '../resources/thread.ts';
import { ImportIssue, ImportJob } from '../resources/transfer.ts';
import { Node, Workflow } from '../resources/workflow.ts';
import { body, query } from '../schema/body.ts';
import { integer, inWorkspace, maybeInWorkspace, queryInteger, time, uuid } from '../schema/types.ts';
import { batchShape } from './batch.ts';
import { combineTables, operationTable } from './operation.ts';
import { INTERNAL, WRITE } from './presets.ts';

/** Enough for the largest workflow, and for a late page: starting an export again costs more. */
const TRANSFER_TIMEOUT_MS = 30_000;

/** The versions that a cached answer depends on; it is stale once an invalidation has a higher one. */
const Tags = z.record(z.string(), z.number());

const answer = <S extends z.core.$ZodLooseShape>(shape: S) =>
  ({ status: 200, schema: z.object(shape) }) as const;

/** Records of all workspaces after an id, in the order of their ids, to rebuild projections from. */
const snapshot = <T extends z.ZodType>(nouns: string, record: T) => ({
  ...INTERNAL,
  summary: `${nouns} of all workspaces by id; an empty page is the end`,
  query: query({
    after: uuid().optional(),
    limit: queryInteger(1, limits.pageSizeMax).default(limits.pageSize),
  }),
  response: answer({ data: z.array(record) }),
});

/** Nothing is counted in advance, because that would delay the first byte of a large export. */
const beginExport = <const C extends readonly [string, ...string[]]>(collections: C) => ({
  ...INTERNAL,
  summary: 'The moment of an export of a workspace, and the collections that have records of it',
  timeoutMs: TRANSFER_TIMEOUT_MS,
  query: query(inWorkspace),
  response: answer({ as_of: z.string(), held: z.array(z.enum(collections)) }),
});

/**
 * A page is a line of metadata, then the rows of WorkspaceExport as JSON, each followed by a comma, so that
 * an export copies them without parsing.
 */
const readForExport = <const C extends readonly [string, ...string[]]>(collections: C) => ({
  ...INTERNAL,
  summary: 'A page of one collection of a workspace as of a moment',
  timeoutMs: TRANSFER_TIMEOUT_MS,
  query: query({
    ...inWorkspace,
    collection: z.enum(collections),
    as_of: z.string().regex(/^\d{1,20}$/),
    after: z.string().optional(),
    limit: queryInteger(1, limits.exportPageSizeMax),
  }),
  response: { status: 200, contentType: 'application/octet-stream' } as const,
});
const decisionCollections = [
  'decisions',
  'outcomes',
  'approvals',
  'forecasts',
  'history',
  'links',
  'approval_rules',
] as const;
const workflowCollections = ['workflows', 'nodes', 'edges'] as const;
const threadCollections = ['threads', 'messages'] as const;

/** Called until done, and once more after the last possible late write. */
const purge = {
  ...INTERNAL,
  route: 'POST /internal/workspaces/{id}/purge',
  summary: 'Delete the data of a deleted workspace in this service',
  response: answer({ is_done: z.boolean() }),
} as const;

/**
 * Stores a portion of an import in one transaction, and only once even if several replicas receive it.
 * Records that the workspace already has stay as they are. Throws CONFLICT for an id of another workspace.
 */
const imported = <S extends z.core.$ZodLooseShape, R extends z.ZodType>(records: S, schema: R) =>
  ({
    ...INTERNAL,
    bodyLimitBytes: limits.importWorkflowBytes,
    bodyLimitValues: limits.importPortionValues,
    timeoutMs: TRANSFER_TIMEOUT_MS,
    body: body({
      ...inWorkspace,
      portion: z.string().max(200),
      check_only: z.boolean().optional(),
      ...records,
    }),
    response: { status: 200, schema },
  }) as const;

/** Stored records whose external ids others have. */
const unnamed = () => z.array(uuid()).optional();
/** The number of stored records, and the ids of those left out; the others were present already. */
const StoredOrLeftOut = z.object({
  stored: integer(),
  left_out: z.array(z.string()),
  unnamed: unnamed(),
});
/** Existing decisions that differ from the file: they and their outcomes and history stay as they are. */
const unlike = () => z.array(uuid());
const importedParts = <S extends z.core.$ZodLooseShape>(records: S) =>
  imported({ ...records, unlike: unlike().optional() }, StoredOrLeftOut);

const taken = <const C extends readonly [string, ...string[]]>(collections: C) => ({
  ...INTERNAL,
  summary: 'Which of these ids are taken, and where',
  body: body({
    ...inWorkspace,
    collection: z.enum(collections),
    ids: z.array(uuid()).max(limits.importPortionRecords),
  }),
  response: answer({
    here: z.array(uuid()),
    elsewhere: z.array(uuid()),
    supersedes: z
      .record(uuid(), uuid())
      .optional()
      .describe('By decision of this workspace: the one that it supersedes'),
  }),
});

/** Without an answer, a post on a known record continues. It must do so before the gateway times out. */
const RESOLVED = { ...INTERNAL, timeoutMs: 1_500 } as const;
/** A record that has a thread. */
const Resolved = z.object({
  id: uuid(),
  workspace_id: uuid(),
  version: integer(),
  /** The version of its last deletion; 0 for none. */
  generation: integer(),
});

/** The operations of a batch that one service owns, with the identity of the caller. */
const batchPart = {
  ...WRITE,
  summary: 'Do some operations of a batch in order; an atomic one that is refused answers which and why',
  workspace: 'query',
  query: query(inWorkspace),
  batch: true,
  timeoutMs: TRANSFER_TIMEOUT_MS,
  // Defaults, and numbers such as 1e20, make a body longer than the client has sent it.
  bodyLimitBytes: 4 * limits.bodyBytes,
  bodyLimitValues: 2 * limits.nodeValues,
  body: body(batchShape),
  response: answer({
    results: z.array(BatchItemResult),
    refused: z.object({ index: integer(), error: ErrorBody }).nullable(),
  }),
} as const;

const accounts = operationTable('accounts', {
  resolveKey: {
    route: 'POST /internal/keys/resolve',
    summary: 'The principal behind the SHA-256 of a key; null when it is unknown, revoked or expired',
    ...INTERNAL,
    body: body({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: answer({
      principal: KeyPrincipal.nullable(),
      allowed_ips: z.array(z.string()),
      expires_in_ms: z.number().nullable().describe('Not a time: the clock of the caller may differ'),
      settings_in_ms: z.number().nullable().optional().describe('Until it may no longer change settings'),
      tags: Tags,
    }),
  },
  resolveSession: {
    route: 'POST /internal/sessions/resolve',
    summary: 'The user behind the SHA-256 of a session token; slides its expiry',
    ...INTERNAL,
    body: body({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: answer({
      session: z
        .object({
          session_id: uuid(),
          user_id: uuid(),
          user_name: z.string(),
          second_factor: z.literal(true).optional(),
          expires_in_ms: z.number(),
        })
        .nullable(),
      tags: Tags,
    }),
  },
  refreshCaller: {
    route: 'POST /internal/callers/refresh',
    summary: 'A caller with its rights as they are now; null when its key or session has ended',
    ...INTERNAL,
    body: body({ principal: z.discriminatedUnion('type', [KeyPrincipal, SessionPrincipal]) }),
    response: answer({
      principal: z.discriminatedUnion('type', [KeyPrincipal, SessionPrincipal]).nullable(),
    }),
  },
  resolveMembership: {
    route: 'GET /internal/memberships/{userId}',
    summary:
      'A user’s role in a workspace, its plan, and since when; null for a non-member. ' +
      'Without a workspace, that of the only one of the user; null for none or several',
    ...INTERNAL,
    query: query(maybeInWorkspace),
    response: answer({
      membership: Membership.nullable(),
      member_since: time().nullable(),
      password_changed_at: time().nullable().describe('A calendar feed ends when it changes'),
      tags: Tags,
    }),
  },
  listMemberships: {
    route: 'GET /internal/memberships/{userId}/all',
    summary: 'The memberships of a user in all workspaces',
    ...INTERNAL,
    neverMissing: true,
    response: answer({ memberships: z.array(Membership) }),
  },
  findMembers: {
    route: 'POST /internal/workspaces/{id}/members',
    summary: 'The present members of a workspace among these users, or with at least a role',
    ...INTERNAL,
    neverMissing: true,
    bodyLimitValues: 20_000,
    body: body({ user_ids: z.array(uuid()).max(10_000).optional(), role: z.enum(roles).optional() }),
    response: answer({
      members: z.array(z.object({ user_id: uuid(), name: z.string(), role: z.enum(roles) })),
    }),
  },
  readWorkspaceForExport: {
    route: 'GET /internal/exports/workspaces/{id}',
    summary: 'The workspace as an export names it; null when it does not exist',
    ...INTERNAL,
    response: answer({ workspace: z.object({ id: uuid(), name: z.string() }).nullable() }),
  },
  exchangeToken: {
    route: 'POST /internal/oauth/tokens',
    summary:
      'Exchange the code or the refresh token of a grant, or of a device; null for one that is not valid',
    ...INTERNAL,
    body: TokenRequest,
    response: answer({ tokens: Tokens.nullable(), error: z.enum(deviceErrors).optional() }),
  },
  startDeviceLogin: {
    route: 'POST /internal/oauth/devices',
    summary: 'Make the codes of a device that asks for an API key',
    ...INTERNAL,
    body: body({
      name: z.string(),
      ip: z.string(),
      scopes: z.array(z.enum(scopes)).max(2),
    }),
    response: answer(DeviceAuthorization.shape),
  },
  registerClient: {
    route: 'POST /internal/oauth/clients',
    summary: 'Seal what a program says of itself into its client id; null if it has no usable address',
    ...INTERNAL,
    body: ClientMetadata,
    response: answer({ client: ClientMetadata.extend({ client_id: z.string() }).nullable() }),
  },
  queueNotificationMail: {
    route: 'POST /internal/mails/notifications',
    summary: 'Mail notifications to a user: each once, however often it is handed over',
    ...INTERNAL,
    neverMissing: true,
    body: body({
      user_id: uuid(),
      is_daily: z.boolean(),
      notification_ids: z.array(uuid()).max(limits.mailedNotifications),
      /** How many others a daily mail has no place for. */
      more: z.number().int().min(0).optional(),
    }),
    /** The notifications beyond the mails of an hour. */
    response: answer({ over_limit: z.array(z.string()) }),
  },
  reportKeyUse: {
    route: 'POST /internal/keys/used',
    summary: 'Last-used times of keys, batched',
    ...INTERNAL,
    bodyLimitValues: 70_000,
    body: body({ uses: z.array(z.object({ key_id: uuid(), at: time() })).max(10_000) }),
    response: { status: 204 },
  },
});

const audit = operationTable('audit', {
  purgeAuditLog: purge,
  filterAuditedEvents: {
    route: 'POST /internal/audited-events',
    summary: 'Which of these events the audit log has; the others must stay in their outbox',
    ...INTERNAL,
    bodyLimitValues: 2_000,
    body: body({ ids: z.array(uuid()).max(1_000) }),
    response: answer({ ids: z.array(uuid()) }),
  },
});

const decisions = operationTable('decisions', {
  applyDecisionBatch: { route: 'POST /internal/batches/decisions', ...batchPart },
  purgeDecisions: purge,
  snapshotDecisions: { route: 'GET /internal/decisions', ...snapshot('Decisions', Decision) },
  resolveDecision: {
    route: 'GET /internal/decisions/{id}',
    summary: 'The workspace of a decision, and its last deletion; null when it does not exist',
    ...RESOLVED,
    response: answer({ decision: Resolved.nullable() }),
  },
  beginDecisionsExport: { route: 'GET /internal/exports/decisions', ...beginExport(decisionCollections) },
  readDecisionsForExport: {
    route: 'GET /internal/exports/decisions/rows',
    ...readForExport(decisionCollections),
  },
  findTakenDecisions: {
    route: 'POST /internal/imports/decisions/taken',
    ...taken(['decisions', 'outcomes', 'approvals', 'forecasts']),
  },
  importDecisions: {
    route: 'POST /internal/imports/decisions',
    summary: 'Store decisions of an import, with a new score',
    ...imported(
      { decisions: z.array(importedRecords.decisions) },
      z.object({
        stored: integer(),
        unnamed: unnamed(),
        unlike: unlike(),
        proposed: z.array(uuid()).optional(),
      }),
    ),
  },
  importOutcomes: {
    route: 'POST /internal/imports/outcomes',
    summary: 'Store outcomes of an import whose decisions are there',
    ...importedParts({ outcomes: z.array(importedRecords.outcomes) }),
  },
  importApprovals: {
    route: 'POST /internal/imports/approvals',
    summary: 'Store approvals of an import whose decisions are there',
    ...importedParts({ approvals: z.array(importedRecords.approvals) }),
  },
  importForecasts: {
    route: 'POST /internal/imports/forecasts',
    summary: 'Store forecasts of an import whose decisions are there',
    ...importedParts({ forecasts: z.array(importedRecords.forecasts) }),
  },
  importHistory: {
    route: 'POST /internal/imports/history',
    summary: 'Store updates of an import whose decisions are there; left out are `decision/version`',
    ...importedParts({ history: z.array(importedRecords.history) }),
  },
  importApprovalRules: {
    route: 'POST /internal/imports/approval-rules',
    summary: 'Store rules of an import in a workspace that has none; refused says why one is left out',
    ...imported(
      {
        rules: z.array(importedRecords.approval_rules).max(limits.listItems),
        created_by: ImportJob.shape.created_by,
      },
      z.object({ stored: integer(), refused: z.array(ImportIssue) }),
    ),
  },
});

const threads = operationTable('threads', {
  applyMessageBatch: { route: 'POST /internal/batches/messages', ...batchPart },
  purgeThreads: purge,
  snapshotMessages: {
    route: 'GET /internal/messages',
    ...snapshot(
      'Messages',
      z.object({
        workspace_id: uuid(),
        version: integer(),
        /** The version of its topic's last deletion before it; 0 for none, absent without its thread. */
        generation: integer().optional(),
        message: Message,
      }),
    ),
  },
  beginThreadsExport: { route: 'GET /internal/exports/threads', ...beginExport(threadCollections) },
  readThreadsForExport: { route: 'GET /internal/exports/threads/rows', ...readForExport(threadCollections) },
  findTakenThreads: { route: 'POST /internal/imports/threads/taken', ...taken(threadCollections) },
  importThreads: {
    route: 'POST /internal/imports/threads',
    summary: 'Store threads of an import',
    ...imported({ threads: z.array(importedRecords.threads) }, StoredOrLeftOut),
  },
  importMessages: {
    route: 'POST /internal/imports/messages',
    summary: 'Store messages of an import whose threads are there',
    ...imported({ messages: z.array(importedRecords.messages) }, StoredOrLeftOut),
  },
});

const workflows = operationTable('workflows', {
  applyGraphBatch: { route: 'POST /internal/batches/graphs', ...batchPart },
  purgeWorkflows: purge,
  snapshotWorkflows: { route: 'GET /internal/workflows', ...snapshot('Workflows', Workflow) },
  snapshotNodes: { route: 'GET /internal/nodes', ...snapshot('Nodes', Node.omit({ data: true })) },
  beginWorkflowsExport: { route: 'GET /internal/exports/workflows', ...beginExport(workflowCollections) },
  readWorkflowsForExport: {
    route: 'GET /internal/exports/workflows/rows',
    ...readForExport(workflowCollections),
  },
  importWorkflow: {
    route: 'POST /internal/imports/workflows',
    summary: 'Check a workflow of an import with its graph, and store it unless check_only is set',
    ...imported(
      {
        workflow: importedRecords.workflows,
        nodes: z.array(importedRecords.nodes.extend({ data: z.string() })),
        edges: z.array(importedRecords.edges.extend({ condition: z.string().nullable() })),
      },
      StoredOrLeftOut,
    ),
  },
  resolveWorkflow: {
    route: 'GET /internal/workflows/{id}',
    summary: 'The workspace of a workflow; null when it does not exist',
    ...INTERNAL,
    response: answer({ workspace_id: uuid().nullable() }),
  },
  resolveNode: {
    route: 'GET /internal/nodes/{id}',
    summary: 'The workflow and workspace of a node, and its last deletion; null when it does not exist',
    ...RESOLVED,
    response: answer({ node: Resolved.extend({ workflow_id: uuid() }).nullable() }),
  },
});

const notifications = operationTable('notifications', {
  purgeNotifications: purge,
  readNotificationsForMail: {
    route: 'POST /internal/notifications/for-mail',
    summary: 'Says which notifications of a user are to be mailed now, and which are snoozed',
    ...INTERNAL,
    neverMissing: true,
    body: body({
      user_id: uuid(),
      notification_ids: z.array(uuid()).max(limits.mailedNotifications),
    }),
    response: answer({ data: z.array(Notification), snoozed: z.array(uuid()) }),
  },
  stopMails: {
    route: 'POST /internal/notifications/mail-settings/{userId}/stop',
    summary: 'End the mails of a kind to a user, or the daily mail',
    ...INTERNAL,
    neverMissing: true,
    body: body({ unsubscribed: Unsubscribed }),
    response: { status: 204 },
  },
});

const search = operationTable('search', {
  purgeSearch: purge,
  findTitles: {
    route: 'POST /internal/titles',
    summary: 'The titles of these decisions, workflows and nodes of a workspace; deleted ones have none',
    // The caller answers without titles.
    timeoutMs: 1_000,
    ...INTERNAL,
    neverMissing: true,
    bodyLimitValues: 3_000,
    body: body({
      ...inWorkspace,
      records: z
        .array(z.object({ kind: z.enum(['decision', 'workflow', 'node']), id: uuid() }))
        .max(limits.pageSizeMax),
    }),
    response: answer({
      titles: z.record(z.string(), z.string()),
      workflows: z.record(z.string(), z.string()).optional().describe('Those of the nodes'),
    }),
  },
});

/** Operations between services; the gateway does not route to them and OpenAPI does not show them. */
export const internalOperations = combineTables(
  accounts,
  audit,
  decisions,
  notifications,
  search,
  threads,
  operationTable('transfer', { purgeTransfer: purge }),
  operationTable('webhooks', {
    purgeWebhooks: purge,
    fetchDocument: {
      route: 'POST /internal/documents',
      summary: 'The text at a public address, under the rules for webhooks; null without one',
      ...INTERNAL,
      timeoutMs: 6_000,
      body: body({ url: z.string().max(limits.urlCharacters) }),
      response: answer({ text: z.string().nullable() }),
    },
  }),
  workflows,
);
