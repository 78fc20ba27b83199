import { z } from 'zod';
import { limits } from '../limits.ts';
import { ApiKey, Member, User, Workspace } from '../resources/account.ts';
import { Actor, Changes } from '../resources/audit.ts';
import { CalendarFeed } from '../resources/calendar.ts';
import { Decision, OutcomeRecord } from '../resources/decision.ts';
import { Invitation } from '../resources/invitation.ts';
import { Message } from '../resources/thread.ts';
import { Delivery, disabledReasons, Webhook } from '../resources/webhook.ts';
import { Edge, Node, Workflow } from '../resources/workflow.ts';
import { time, uuid } from '../schema/types.ts';

interface EventDeclaration {
  data: z.ZodType;
  /** What happened, for the event catalogue. */
  summary: string;
  /** Whether webhooks may carry it; users' own affairs belong to no workspace and never leave. */
  webhook: boolean;
}

const Deleted = z.object({ id: uuid() });
const DeletedInWorkflow = Deleted.extend({ workflow_id: uuid() });

/** Many records of a workflow at once: what one event each would make thousands of. Free-form fields are left out. */
const nodesOf = <T extends z.ZodType>(node: T) => z.object({ workflow_id: uuid(), nodes: z.array(node) });
const edgesOf = <T extends z.ZodType>(edge: T) => z.object({ workflow_id: uuid(), edges: z.array(edge) });
const NodeSummary = Node.omit({ data: true });
export type NodeSummary = z.output<typeof NodeSummary>;
const EdgeSummary = Edge.omit({ condition: true });
export type EdgeSummary = z.output<typeof EdgeSummary>;
const DeletedNode = z.object({ id: uuid(), version: z.number().int() });
export type DeletedNode = z.output<typeof DeletedNode>;
const GraphChange = z.object({
  created: z.number().int(),
  updated: z.number().int(),
  deleted: z.number().int(),
});

/** Every domain event, by type; its NATS subject is the type below the events prefix. */
export const events = {
  'decision.created': { data: Decision, summary: 'A decision was logged', webhook: true },
  'decision.updated': { data: Decision, summary: 'A decision was changed', webhook: true },
  'decision.deleted': { data: Deleted, summary: 'A decision was deleted with its outcomes', webhook: true },
  'decision.outcome_logged': {
    data: z.object({ decision: Decision, outcome: OutcomeRecord }),
    summary: 'An outcome other than pending was logged for a decision',
    webhook: true,
  },
  'calendar_feed.created': { data: CalendarFeed, summary: 'A calendar feed was made', webhook: true },
  'calendar_feed.revoked': { data: CalendarFeed, summary: 'A calendar feed was ended', webhook: true },
  'workflow.created': { data: Workflow, summary: 'A workflow was created', webhook: true },
  'workflow.updated': { data: Workflow, summary: 'A workflow was changed', webhook: true },
  'workflow.deleted': { data: Deleted, summary: 'A workflow was deleted with its graph', webhook: true },
  'workflow.graph_replaced': {
    data: z.object({ workflow: Workflow, nodes: GraphChange, edges: GraphChange }),
    summary: 'The graph of a workflow was replaced; nodes.* and edges.* say what that changed',
    webhook: true,
  },
  'node.created': { data: Node, summary: 'A node was added', webhook: true },
  'node.updated': { data: Node, summary: 'A node was changed', webhook: true },
  'node.deleted': {
    data: DeletedInWorkflow,
    summary: 'A node was deleted with its edges and its thread',
    webhook: true,
  },
  'nodes.created': {
    data: nodesOf(NodeSummary),
    summary: 'Nodes were added by replacing a graph',
    webhook: true,
  },
  'nodes.updated': {
    data: nodesOf(NodeSummary),
    summary: 'Nodes were changed by replacing a graph',
    webhook: true,
  },
  'nodes.deleted': {
    data: nodesOf(DeletedNode),
    summary: 'Nodes were deleted with their workflow or by replacing its graph',
    webhook: true,
  },
  'edge.created': { data: Edge, summary: 'Two nodes were connected', webhook: true },
  'edge.deleted': { data: DeletedInWorkflow, summary: 'An edge was deleted', webhook: true },
  'edges.created': {
    data: edgesOf(EdgeSummary),
    summary: 'Edges were added by replacing a graph',
    webhook: true,
  },
  'edges.updated': {
    data: edgesOf(EdgeSummary),
    summary: 'Conditions of edges were changed by replacing a graph',
    webhook: true,
  },
  'edges.deleted': {
    data: edgesOf(Deleted),
    summary:
      'Edges were deleted with a node or by replacing a graph; with their workflow they go without a word',
    webhook: true,
  },
  'thread.message_created': { data: Message, summary: 'A message was posted on a node', webhook: true },
  'thread.message_updated': { data: Message, summary: 'A message was edited', webhook: true },
  'thread.message_deleted': {
    data: Message.pick({ id: true, thread_id: true, node_id: true }),
    summary: 'A message was deleted',
    webhook: true,
  },
  'decision.exported': { data: z.object({}), summary: 'The decisions were exported as CSV', webhook: true },
  'audit_log.exported': { data: z.object({}), summary: 'The audit log was exported', webhook: true },
  'workspace.exported': { data: z.object({}), summary: 'The whole workspace was exported', webhook: true },
  'workspace.exported_madr': {
    data: z.object({}),
    summary: 'The decisions were exported as Markdown',
    webhook: true,
  },
  'workspace.imported': {
    data: z.object({ import_id: uuid(), dry_run: z.boolean(), ids: z.string() }),
    summary: 'An import into the workspace was begun',
    webhook: false,
  },
  // What an import stores, for the search projection alone: an event each would clog the stream.
  'decisions.imported': {
    data: z.object({ decisions: z.array(Decision) }),
    summary: 'Decisions were stored by an import',
    webhook: false,
  },
  'workflow.imported': { data: Workflow, summary: 'A workflow was stored by an import', webhook: false },
  'nodes.imported': {
    data: nodesOf(NodeSummary),
    summary: 'Nodes were stored by an import',
    webhook: false,
  },
  'messages.imported': {
    data: z.object({
      messages: z.array(Message),
      version: z.number().int().optional().describe('Of each; 1 where it is not told'),
      generations: z
        .record(uuid(), z.number().int())
        .optional()
        .describe('By node: the version of its deletion that its messages come after, 0 for none'),
    }),
    summary: 'Messages were stored by an import',
    webhook: false,
  },
  // There is no endpoint yet that could be told.
  'workspace.created': { data: Workspace, summary: 'A workspace was created', webhook: false },
  'workspace.updated': { data: Workspace, summary: 'A workspace was renamed', webhook: true },
  'workspace.deleted': { data: Deleted, summary: 'A workspace was deleted', webhook: false },
  'workspace.member_added': { data: Member, summary: 'A member joined', webhook: true },
  'workspace.member_updated': { data: Member, summary: 'A member’s role was changed', webhook: true },
  'workspace.member_removed': { data: Member, summary: 'A member left or was removed', webhook: true },
  'invitation.created': { data: Invitation, summary: 'Someone was invited by a link', webhook: true },
  'invitation.revoked': { data: Invitation, summary: 'An invitation was taken back', webhook: true },
  'billing.plan_changed': {
    data: z.object({ workspace_id: uuid(), plan: z.string(), previous_plan: z.string() }),
    summary: 'The plan of the workspace was changed',
    webhook: true,
  },
  'api_key.created': { data: ApiKey, summary: 'An API key was created', webhook: true },
  'api_key.rotated': {
    data: z.object({ replaced: ApiKey, api_key: ApiKey }),
    summary: 'An API key was replaced by a new one',
    webhook: true,
  },
  'api_key.revoked': { data: ApiKey, summary: 'An API key was revoked', webhook: true },
  'webhook.created': { data: Webhook, summary: 'A webhook endpoint was registered', webhook: true },
  'webhook.updated': { data: Webhook, summary: 'A webhook endpoint was changed', webhook: true },
  'webhook.deleted': { data: Deleted, summary: 'A webhook endpoint was deleted', webhook: true },
  'webhook.secret_rotated': {
    data: Webhook,
    summary: 'The signing secret of a webhook endpoint was replaced, or the new one promoted',
    webhook: true,
  },
  'webhook.disabled': {
    data: z.object({ webhook: Webhook, reason: z.enum(disabledReasons) }),
    summary: 'A webhook endpoint was disabled because it is gone or kept failing',
    webhook: true,
  },
  'webhook.tested': {
    data: z.object({ webhook_id: uuid(), delivery: Delivery }),
    summary: 'A ping was sent to a webhook endpoint',
    webhook: true,
  },
  'webhook.replayed': {
    data: z.object({ webhook_id: uuid(), since: time(), status: z.string(), replayed: z.number().int() }),
    summary: 'Deliveries to a webhook endpoint were sent again',
    webhook: true,
  },
  'delivery.replayed': { data: Delivery, summary: 'A webhook delivery was sent again', webhook: true },
  'user.signed_up': { data: User, summary: 'A user signed up', webhook: false },
  'user.signed_in': { data: z.object({ id: uuid() }), summary: 'A user signed in', webhook: false },
  'user.signed_out': { data: z.object({ id: uuid() }), summary: 'A user signed out', webhook: false },
  'user.session_ended': { data: z.object({ id: uuid() }), summary: 'A user ended a session', webhook: false },
  'user.erased': {
    data: z.object({ id: uuid() }),
    summary: 'An operator erased what names a person',
    webhook: false,
  },
  'user.identity_linked': {
    data: z.object({ id: uuid(), issuer: z.string() }),
    summary: 'A user’s account was linked with single sign-on',
    webhook: false,
  },
  'user.password_changed': {
    data: z.object({ id: uuid() }),
    summary: 'A user changed the password',
    webhook: false,
  },
} as const satisfies Record<string, EventDeclaration>;

export type EventType = keyof typeof events;
export type EventData<T extends EventType> = z.input<(typeof events)[T]['data']>;

export const EventEnvelope = z
  .object({
    id: uuid().describe('UUIDv7'),
    type: z.enum(Object.keys(events) as [EventType, ...EventType[]]),
    version: z.literal(1),
    time: time(),
    workspace_id: uuid().nullable().describe('Null for what a user does outside any workspace'),
    actor: Actor,
    /** The audit action; null for an event that accompanies another of the same mutation. */
    action: z.string().nullable(),
    request_id: z.string().nullable(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    subject: z.object({
      type: z.string(),
      id: z.string(),
      version: z.number().int(),
      /** Of a message: the version of its node's deletion that it comes after, 0 for none. */
      generation: z.number().int().optional(),
    }),
    data: z.unknown(),
    changes: Changes.nullable(),
  })
  .meta({ id: 'Event' });

export type EventEnvelope = z.output<typeof EventEnvelope>;

/** The JetStream stream of all domain events below a prefix that separates installations on one NATS. */
export function eventStream(prefix: string) {
  return {
    name: `${prefix}_events`,
    subjects: [`${prefix}.events.>`],
    everySubject: `${prefix}.events.>`,
    subject: (type: EventType) => `${prefix}.events.${type}`,
    /** What a consumer could not handle, in a stream of its own: kept until an operator replays or discards it. */
    parkedName: `${prefix}_parked`,
    everyParked: `${prefix}.parked.>`,
    parked: (consumer: string) => `${prefix}.parked.${consumer}`,
    /** Announcements that cached answers are stale; plain NATS, not stored. */
    invalidations: `${prefix}.invalidations`,
    /** Ids of workspaces whose searched texts have changed, empty for all; plain NATS, not stored. */
    searchStates: `${prefix}.search_states`,
  };
}

/** The event types that tell of deleted nodes. */
export const nodeDeletionTypes = ['node.deleted', 'nodes.deleted'] as const satisfies EventType[];

/** The nodes that an event of `nodeDeletionTypes` says are gone, with the version of each deletion. */
export function deletedNodes({ type, subject, data }: EventEnvelope): DeletedNode[] {
  if (type === 'nodes.deleted') return events[type].data.parse(data).nodes;
  return type === 'node.deleted' ? [{ id: subject.id, version: subject.version }] : [];
}

/** Replaces changes that would make an event too large by the SHA-256 of each value; `hash` takes JSON text. */
export function boundedChanges(changes: Changes | null, hash: (json: string) => string): Changes | null {
  if (!changes || Buffer.byteLength(JSON.stringify(changes)) <= limits.eventBytes) return changes;
  const digest = (value: unknown) => ({ sha256: hash(JSON.stringify(value ?? null)) });
  return Object.fromEntries(
    Object.entries(changes).map(([field, { before, after }]) => [
      field,
      { before: digest(before), after: digest(after) },
    ]),
  );
}
