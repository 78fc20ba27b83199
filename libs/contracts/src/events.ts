import { z } from 'zod';
import { limits } from './limits.ts';
import { ApiKey, Member, User, Workspace } from './resources/account.ts';
import { Actor, Changes } from './resources/audit.ts';
import { Decision, OutcomeRecord } from './resources/decision.ts';
import { time, uuid } from './schema.ts';

interface EventDeclaration {
  data: z.ZodType;
  /** What happened, for the event catalogue. */
  summary: string;
  /** Whether webhooks may carry it; users' own affairs belong to no workspace and never leave. */
  webhook: boolean;
}

const Deleted = z.object({ id: uuid() });

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
  'decision.exported': { data: z.object({}), summary: 'The decisions were exported as CSV', webhook: true },
  'audit_log.exported': { data: z.object({}), summary: 'The audit log was exported', webhook: true },
  'workspace.created': { data: Workspace, summary: 'A workspace was created', webhook: true },
  'workspace.updated': { data: Workspace, summary: 'A workspace was renamed', webhook: true },
  'workspace.deleted': { data: Deleted, summary: 'A workspace was deleted', webhook: false },
  'workspace.member_added': { data: Member, summary: 'A member joined', webhook: true },
  'workspace.member_updated': { data: Member, summary: 'A member’s role was changed', webhook: true },
  'workspace.member_removed': { data: Member, summary: 'A member left or was removed', webhook: true },
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
  'user.signed_up': { data: User, summary: 'A user signed up', webhook: false },
  'user.signed_in': { data: z.object({ id: uuid() }), summary: 'A user signed in', webhook: false },
  'user.signed_out': { data: z.object({ id: uuid() }), summary: 'A user signed out', webhook: false },
  'user.session_ended': { data: z.object({ id: uuid() }), summary: 'A user ended a session', webhook: false },
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
    subject: z.object({ type: z.string(), id: z.string(), version: z.number().int() }),
    data: z.unknown(),
    changes: Changes.nullable(),
  })
  .meta({ id: 'Event' });

export type EventEnvelope = z.output<typeof EventEnvelope>;

/** The JetStream stream of all domain events below a prefix that separates installations on one NATS. */
export function eventStream(prefix: string) {
  return {
    name: `${prefix}_events`,
    subjects: [`${prefix}.events.>`, `${prefix}.parked.>`],
    everySubject: `${prefix}.events.>`,
    subject: (type: EventType) => `${prefix}.events.${type}`,
    /** Parked messages: what a consumer could not handle, kept for an operator. */
    parked: (consumer: string) => `${prefix}.parked.${consumer}`,
    /** Announcements that cached answers are stale; plain NATS, not stored. */
    invalidations: `${prefix}.invalidations`,
  };
}

/** Replaces changes that would make an event too large by the SHA-256 of each value; `hash` takes JSON text. */
export function boundedChanges(changes: Changes | null, hash: (json: string) => string): Changes | null {
  if (!changes || JSON.stringify(changes).length <= limits.eventBytes) return changes;
  const digest = (value: unknown) => ({ sha256: hash(JSON.stringify(value ?? null)) });
  return Object.fromEntries(
    Object.entries(changes).map(([field, { before, after }]) => [
      field,
      { before: digest(before), after: digest(after) },
    ]),
  );
}
