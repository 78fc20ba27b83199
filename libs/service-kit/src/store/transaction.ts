import { createHash } from 'node:crypto';
import {
  type AuditAction,
  boundedChanges,
  type Changes,
  type EventData,
  type EventEnvelope,
  type EventType,
  newId,
  type ResourceType,
} from '@waymark/contracts';
import type { ClientSession, Document } from 'mongodb';
import type { Tags } from '../events/invalidations.ts';
import type { OutboxRow } from './outbox/outbox-row.ts';
import type { CommitContext } from './service-context.ts';

export interface Emission<T extends EventType> {
  subject: EventEnvelope['subject'] & { type: ResourceType };
  data: EventData<T>;
  changes?: Changes | null;
  /** Defaults to the authorized workspace; null for an event of a user without a workspace. */
  workspaceId?: string | null;
  /** Defaults to the operation's audit action for the first event of a transaction, else to none. */
  action?: AuditAction | null;
  /** Defaults to the caller; sign-in names the user who signs in. */
  actor?: EventEnvelope['actor'];
}

/** The parts of a change that reads nothing and only adds records under new ids. */
export interface Additions {
  /** Stores a document together with the events when the work is done. */
  insert(collection: string, document: Document): void;
  emit<T extends EventType>(type: T, emission: Emission<T>): void;
  /** Announces, before the caller gets its answer, that cached look-ups with these tags are stale. */
  invalidate(tags: Tags): void;
}

export interface Transaction extends Additions {
  readonly session: ClientSession;
  /** Runs the work of one operation of a batch. If it throws, what it added is left out. */
  part<T>(ctx: CommitContext, work: (tx: Transaction) => T | Promise<T>): Promise<T>;
  /** Stores the additions of the parts so far, so that reads with the session find them. */
  flush(): Promise<void>;
}

declare module '../http/request-context.ts' {
  interface Batch extends Transaction {}
}

/** The additions so far: documents by collection, events as outbox rows, tags to announce. */
export interface Added {
  documents: Map<string, Document[]>;
  rows: OutboxRow[];
  tags: Tags;
}

export function collectAdditions(
  ctx: CommitContext,
  now: () => number,
  traceparent: string | undefined,
): { additions: Additions; added: Added } {
  const added: Added = { documents: new Map(), rows: [], tags: {} };
  const { documents, rows, tags } = added;
  const additions: Additions = {
    insert(collection, document) {
      const others = documents.get(collection);
      if (others) others.push(document);
      else documents.set(collection, [document]);
    },
    emit(type, emission) {
      const byDefault = rows.length === 0 ? (ctx.operation.audit ?? null) : null;
      const envelope: EventEnvelope = {
        id: newId(),
        type,
        version: 1,
        time: new Date(now()).toISOString(),
        workspace_id: emission.workspaceId === undefined ? ctx.access.workspaceId : emission.workspaceId,
        actor: emission.actor ?? ctx.actor,
        action: emission.action === undefined ? byDefault : emission.action,
        request_id: ctx.requestId,
        ip: ctx.clientAddress,
        user_agent: ctx.userAgent,
        ...(ctx.via && { via: ctx.via }),
        subject: emission.subject,
        data: emission.data,
        changes: boundedChanges(emission.changes ?? null, sha256),
      };
      const audited = envelope.action !== null;
      const { id: _id, workspace_id } = envelope;
      const payload = JSON.stringify(envelope);
      const trace = traceparent !== undefined && { traceparent };
      rows.push({ _id, workspace_id, type, payload, pending: true, audited, tags, ...trace });
    },
    invalidate(changed) {
      Object.assign(tags, changed);
    },
  };
  return { additions, added };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
