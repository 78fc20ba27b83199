import type { AuditAction, Operation, ServiceName } from '@waymark/contracts';
import { type Access, actorOf, type RequestContext } from '../http/request-context.ts';

/** The cause of a change: the part of a request's context that commit() reads. */
export interface CommitContext
  extends Pick<
    RequestContext,
    'actor' | 'clientAddress' | 'userAgent' | 'via' | 'idempotency' | 'deadlineMs' | 'setHeader' | 'batch'
  > {
  readonly operation: Pick<Operation, 'audit'>;
  readonly requestId: string | null;
  readonly access: Pick<Access, 'workspaceId'>;
  /** Looks the caller up again, as in `RequestContext`; absent for a change of the service itself. */
  readonly confirm?: () => Promise<void>;
}

/** Returns the context of a change that the service itself makes; `audit` is the audit action. */
export function serviceContext(
  service: ServiceName,
  workspaceId: string,
  audit?: AuditAction,
): CommitContext {
  return {
    operation: audit === undefined ? {} : { audit },
    actor: actorOf({ type: 'service', service }),
    access: { workspaceId },
    requestId: null,
    clientAddress: null,
    userAgent: null,
    via: undefined,
    idempotency: null,
    batch: null,
    deadlineMs: Number.POSITIVE_INFINITY,
    setHeader: () => undefined,
  };
}
