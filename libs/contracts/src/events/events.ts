import { z } from 'zod';
import { limits } from '../limits.ts';
import { ApiKey, Member, User, Workspace } from '../resources/account.ts';
import { Approval, ApprovalRules } from '../resources/approval.ts';
import { Actor, Changes } from '../resources/audit.ts';
import { CalendarFeed } from '../resources/calendar.ts';
import { Decision, OutcomeRecord } from '../resources/decision.ts';
import { GivenForecast } from '../resources/forecast.ts';
import { Invitation } from '../resources/invitation.ts';
import { DecisionReview } from '../resources/review.ts';
import { ServiceAccount } from '../resources/service-account.ts';
import { Emoji, Message } from '../resources/thread.ts';
import { Delivery, disabledReasons, Webhook } from '../resources/webhook.ts';
import { Edge, Node, Workflow } from '../resources/workflow.ts';
import { component, integer, time, uuid } from '../schema/types.ts';
import { SavedView } from '../views/saved-view.ts';

/*
 * An event: its data, what happened, whether webhook endpoints can subscribe to it, and whether the live
 * stream gives it to everyone who can read the workspace, not only to admins and owners.
 */
/** A change of what every member can read; webhooks may carry it. */
const forReaders = <T extends z.ZodType>(summary: string, data: T) =>
  ({ data, summary, webhook: true, readers: true }) as const;
/** A change of settings, for admins and owners; webhooks may carry it. */
const forAdmins = <T extends z.ZodType>(summary: string, data: T) =>
  ({ data, summary, webhook: true, readers: false }) as const;
/** Records that an import stored, for everyone who can read them. One event has many: webhooks carry none. */
const imported = <T extends z.ZodType>(summary: string, data: T) =>
  ({ data, summary, webhook: false, readers: true }) as const;
/** An event for services only, or about a user; webhooks never carry it. */
const internal = <T extends z.ZodType>(summary: string, data: T) =>
  ({ data, summary, webhook: false, readers: false }) as const;

const Deleted = z.object({ id: uuid() });
const DeletedInWorkflow = Deleted.extend({ workflow_id: uuid() });

/** Many records of a workflow in one event, without their free-form fields. */
const nodesOf = <T extends z.ZodType>(node: T) => z.object({ workflow_id: uuid(), nodes: z.array(node) });
const edgesOf = <T extends z.ZodType>(edge: T) => z.object({ workflow_id: uuid(), edges: z.array(edge) });
const NodeSummary = Node.omit({ data: true });
export type NodeSummary = z.output<typeof NodeSummary>;
const EdgeSummary = Edge.omit({ condition: true });
export type EdgeSummary = z.output<typeof EdgeSummary>;
const DeletedNode = z.object({ id: uuid(), version: integer() });
export type DeletedNode = z.output<typeof DeletedNode>;
const GraphChange = z.object({
  created: integer(),
  updated: integer(),
  deleted: integer(),
});

const Nothing = z.object({});
const SameUser = z.object({ id: uuid() });
const OwnPasskey = SameUser.extend({ passkey_id: uuid() });
const PlaceOfMessage = Message.pick({ id: true, thread_id: true, node_id: true, decision_id: true });
const ReactionOnMessage = PlaceOfMessage.extend({
  emoji: Emoji,
  reactor_id: uuid().describe('The user or service account'),
});
const ImportedMessages = z.object({
  messages: z.array(Message),
  version: integer().describe('The version of each message'),
  generations: z
    .record(uuid(), integer())
    .describe('By node or decision: the version of its last deletion before these messages; 0 for none'),
});

/** Every domain event, by type; its NATS subject is the type below the events prefix. */
export const events = {
  'decision.created': forReaders('A decision was logged', Decision),
  'decision.updated': forReaders('A decision was changed', Decision),
  'decision.deleted': forReaders('A decision was deleted with its outcomes and its thread', Deleted),
  'decision.outcome_logged': forReaders(
    'An outcome other than pending was logged for a decision',
    z.object({ decision: Decision, outcome: OutcomeRecord }),
  ),
  'decision.approval_requested': forReaders(
    'Members were asked to approve a decision',
    z.object({ decision: Decision, requested_of: z.array(uuid()), content_sha256: z.string() }),
  ),
  'decision.approved': forReaders('A member approved the text of a decision', Approval),
  'decision.objected': forReaders('A member objected to the text of a decision', Approval),
  'decision.abstained': forReaders('A member abstained', Approval),
  'decision.approval_voided': forReaders('A change of the text voided what a member had said', Approval),
  'decision.reviewed': forReaders(
    'A decision was reviewed',
    z.object({ decision: Decision, review: DecisionReview }),
  ),
  'decision.forecast_given': forReaders(
    'Somebody gave a forecast of the success of a decision',
    GivenForecast,
  ),
  'decision.approval_rules_updated': forAdmins('The rules of approvals were changed', ApprovalRules),
  'calendar_feed.created': forAdmins('A calendar feed was created', CalendarFeed),
  'calendar_feed.revoked': forAdmins('A calendar feed was revoked', CalendarFeed),
  'workflow.created': forReaders('A workflow was created', Workflow),
  'workflow.updated': forReaders('A workflow was changed', Workflow),
  'workflow.deleted': forReaders('A workflow was deleted with its graph', Deleted),
  'workflow.graph_replaced': forReaders(
    'The graph of a workflow was replaced; nodes.* and edges.* events have the changes',
    z.object({ workflow: Workflow, nodes: GraphChange, edges: GraphChange }),
  ),
  'node.created': forReaders('A node was added', Node),
  'node.updated': forReaders('A node was changed', Node),
  'node.deleted': forReaders('A node was deleted with its edges and its thread', DeletedInWorkflow),
  'nodes.created': forReaders('Nodes were added by replacing a graph', nodesOf(NodeSummary)),
  'nodes.updated': forReaders('Nodes were changed by replacing a graph', nodesOf(NodeSummary)),
  'nodes.deleted': forReaders(
    'Nodes were deleted with their workflow or by replacing its graph',
    nodesOf(DeletedNode),
  ),
  'edge.created': forReaders('Two nodes were connected', Edge),
  'edge.deleted': forReaders('An edge was deleted', DeletedInWorkflow),
  'edges.created': forReaders('Edges were added by replacing a graph', edgesOf(EdgeSummary)),
  'edges.updated': forReaders('Conditions of edges were changed by replacing a graph', edgesOf(EdgeSummary)),
  'edges.deleted': forReaders(
    'Edges were deleted with a node or by replacing a graph; not sent when their workflow is deleted',
    edgesOf(Deleted),
  ),
  'thread.message_created': forReaders('A message was posted on a node or a decision', Message),
  'thread.message_updated': forReaders('A message was edited', Message),
  'thread.message_deleted': forReaders('A message was deleted', PlaceOfMessage),
  'thread.message_resolved': forReaders('A message was resolved with its replies', Message),
  'thread.message_reopened': forReaders('A resolved message was reopened, also by a reply', Message),
  'thread.reaction_added': forReaders('Somebody reacted to a message', ReactionOnMessage),
  'thread.reaction_removed': forReaders('Somebody took a reaction back', ReactionOnMessage),
  'decision.exported': forAdmins('The decisions were exported as CSV', Nothing),
  'audit_log.exported': forAdmins('The audit log was exported', Nothing),
  'workspace.exported': forAdmins('The whole workspace was exported', Nothing),
  'workspace.exported_madr': forAdmins('The decisions were exported as Markdown', Nothing),
  'workspace.imported': internal(
    'An import into the workspace was started, or the check of a file ended',
    z.object({ import_id: uuid(), dry_run: z.boolean(), ids: z.string() }),
  ),
  'workspace.import_finished': forAdmins(
    'An import has ended; not sent for a check of a file',
    z.object({ import_id: uuid(), started_by: uuid().nullable().describe('The user, if it was one') }),
  ),
  'decisions.imported': imported(
    'Decisions were stored by an import',
    z.object({ decisions: z.array(Decision) }),
  ),
  'workflow.imported': imported('A workflow was stored by an import', Workflow),
  'nodes.imported': imported('Nodes were stored by an import', nodesOf(NodeSummary)),
  'decisions.restored': internal(
    'Decisions were taken out of the trash, with the version of their deletion; their threads follow',
    z.object({ decisions: z.array(DeletedNode) }),
  ),
  'nodes.restored': internal(
    'Nodes were taken out of the trash, with the version of their deletion; their threads follow',
    nodesOf(DeletedNode),
  ),
  'messages.imported': imported('Messages were stored by an import', ImportedMessages),
  // Internal: a workspace that is just created has no endpoint yet.
  'workspace.created': internal('A workspace was created', Workspace),
  'workspace.updated': forReaders(
    'A workspace was renamed, or its requirement of a second factor changed',
    Workspace,
  ),
  'workspace.deleted': internal('A workspace was deleted', Deleted),
  'workspace.member_added': forAdmins('A member joined', Member),
  'workspace.member_updated': forAdmins('A member’s role or name was changed', Member),
  'workspace.member_removed': forAdmins('A member left or was removed', Member),
  'invitation.created': forAdmins('Someone was invited by a link', Invitation),
  'invitation.revoked': forAdmins('An invitation was revoked', Invitation),
  'billing.plan_changed': forAdmins(
    'The plan of the workspace was changed',
    z.object({ workspace_id: uuid(), plan: z.string(), previous_plan: z.string() }),
  ),
  'api_key.created': forAdmins('An API key was created', ApiKey),
  'api_key.rotated': forAdmins(
    'An API key was replaced by a new one',
    z.object({ replaced: ApiKey, api_key: ApiKey }),
  ),
  'api_key.revoked': forAdmins('An API key was revoked', ApiKey),
  'api_key.expiring': internal(
    'An API key expires within a week',
    // Events of the build before have neither prefix nor date.
    ApiKey.pick({ id: true, name: true, key_prefix: true, expires_at: true })
      .partial({ key_prefix: true, expires_at: true })
      .extend({ user_ids: z.array(uuid()).describe('Who should know') }),
  ),
  'service_account.created': forAdmins('A service account was created', ServiceAccount),
  'service_account.updated': forAdmins('A service account was renamed, or its role changed', ServiceAccount),
  'service_account.deleted': forAdmins('A service account was deleted with its keys', ServiceAccount),
  'view.shared': internal('A view was shared with the workspace, or a shared one changed', SavedView),
  'view.unshared': internal('A shared view was deleted, or is no longer shared', SavedView),
  'webhook.created': forAdmins('A webhook endpoint was registered', Webhook),
  'webhook.updated': forAdmins('A webhook endpoint was changed', Webhook),
  'webhook.deleted': forAdmins('A webhook endpoint was deleted', Deleted),
  'webhook.secret_rotated': forAdmins(
    'The signing secret of a webhook endpoint was replaced, or the new one promoted',
    Webhook,
  ),
  'webhook.failing': internal(
    'A webhook endpoint has failed on two days without a success',
    z.object({ webhook: Webhook }),
  ),
  'webhook.disabled': forAdmins(
    'A webhook endpoint was disabled because it is gone or kept failing',
    z.object({ webhook: Webhook, reason: z.enum(disabledReasons) }),
  ),
  'webhook.tested': forAdmins(
    'A test was sent to a webhook endpoint',
    z.object({ webhook_id: uuid(), delivery: Delivery }),
  ),
  'webhook.replayed': forAdmins(
    'Deliveries to a webhook endpoint were sent again',
    z.object({ webhook_id: uuid(), since: time(), status: z.string(), replayed: integer() }),
  ),
  'delivery.replayed': forAdmins('A webhook delivery was sent again', Delivery),
  'user.signed_up': internal('A user signed up', User),
  'user.signed_in': internal('A user signed in', SameUser),
  'user.signed_out': internal('A user signed out', SameUser),
  'user.session_ended': internal('A user ended a session', SameUser),
  'user.erased': internal('An operator erased the personal data of a user', SameUser),
  'user.identity_linked': internal(
    'A user’s account was linked with single sign-on',
    SameUser.extend({ issuer: z.string() }),
  ),
  'user.updated': internal('A user changed the name', SameUser),
  'user.email_changed': internal('A user changed the e-mail address', SameUser),
  'user.passkey_added': internal('A user added a passkey', OwnPasskey),
  'user.passkey_updated': internal('A user renamed a passkey', OwnPasskey),
  'user.passkey_removed': internal('A user removed a passkey', OwnPasskey),
  'user.totp_added': internal('A user added an authenticator app', SameUser),
  'user.totp_removed': internal(
    'A user, or an operator, removed the authenticator app of an account',
    SameUser,
  ),
  'user.recovery_codes_renewed': internal('A user replaced the recovery codes', SameUser),
  'user.password_changed': internal('A user changed the password', SameUser),
};

export type EventType = keyof typeof events;
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]];
export type EventData<T extends EventType> = z.input<(typeof events)[T]['data']>;

export const EventEnvelope = component('Event', {
  id: uuid().describe('UUIDv7'),
  type: z.enum(eventTypes),
  version: z.literal(1),
  time: time(),
  workspace_id: uuid().nullable().describe('Null for an action outside any workspace'),
  actor: Actor,
  /** The audit action; null for an event that accompanies another one of the same change. */
  action: z.string().nullable(),
  request_id: z.string().nullable(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  /** Like that of an audit entry. Any text, so that a later value passes the consumers of this version. */
  via: z.string().optional(),
  subject: z.object({
    type: z.string(),
    id: z.string(),
    version: integer(),
    /** For a message: the version of its record's last deletion before it; 0 for none. */
    generation: integer().optional(),
  }),
  data: z.unknown(),
  changes: Changes.nullable(),
});

export type EventEnvelope = z.output<typeof EventEnvelope>;

/** The JetStream stream of all domain events below a prefix that separates installations on one NATS. */
export function eventStream(prefix: string) {
  return {
    name: `${prefix}_events`,
    subjects: [`${prefix}.events.>`],
    everySubject: `${prefix}.events.>`,
    subject: (type: EventType) => `${prefix}.events.${type}`,
    /** The stream of events that a consumer could not handle, until an operator replays or drops them. */
    parkedName: `${prefix}_parked`,
    everyParked: `${prefix}.parked.>`,
    /** `id` is the same in every delivery of an event. */
    parked: (consumer: string, id: string) => `${prefix}.parked.${consumer}.${id}`,
    /** An event that an operator has discarded: a consumer that reads it again does not park it again. */
    discarded: (consumer: string, id: string) => `${prefix}.parked.discarded.${consumer}.${id}`,
    /** The stream with the last signed head of each audit chain, which a writer of MongoDB cannot change. */
    auditHeadsName: `${prefix}_audit_heads`,
    auditHeads: `${prefix}.audit_heads`,
    /** The stream with the position that each consumer has recorded in its database. */
    positionsName: `${prefix}_positions`,
    positions: `${prefix}.positions`,
    /** Announcements that cached answers are stale; plain NATS, not stored. */
    invalidations: `${prefix}.invalidations`,
    /** Who views which workflow; plain NATS, not stored. */
    presence: `${prefix}.presence`,
    /** Ids of workspaces whose event log has grown, separated by spaces; plain NATS, not stored. */
    eventLog: `${prefix}.event_log`,
    /** Ids of workspaces whose searchable texts changed, empty for all; plain NATS, not stored. */
    searchStates: `${prefix}.search_states`,
    /** Ids of users whose inboxes have changed, separated by spaces; plain NATS, not stored. */
    inboxes: `${prefix}.inboxes`,
  };
}

export const nodeDeletionTypes = ['node.deleted', 'nodes.deleted'] as const satisfies EventType[];

/** The nodes that an event of `nodeDeletionTypes` deletes, with the version of each deletion. */
export function deletedNodes({ type, subject, data }: EventEnvelope): DeletedNode[] {
  if (type === 'nodes.deleted') return events[type].data.parse(data).nodes;
  return type === 'node.deleted' ? [{ id: subject.id, version: subject.version }] : [];
}

/** Replaces values by their SHA-256 if the changes would make an event too large; `hash` takes JSON text. */
export function boundedChanges(changes: Changes | null, hash: (json: string) => string): Changes | null {
  if (!changes || Buffer.byteLength(JSON.stringify(changes)) <= limits.eventBytes) return changes;
  const digest = (value: unknown) => ({ sha256: hash(JSON.stringify(value ?? null)) });
  const digests = ({ before, after }: Changes[string]) => ({ before: digest(before), after: digest(after) });
  return Object.fromEntries(Object.entries(changes).map(([field, change]) => [field, digests(change)]));
}
