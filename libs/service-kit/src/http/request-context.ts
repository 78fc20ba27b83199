import {
  type Actor,
  ApiError,
  type KeyPrincipal,
  leastPlanWith,
  type Membership,
  membershipOf,
  type Operation,
  type Plan,
  type PlanFeature,
  type Principal,
  planIncludes,
  type QualityModel,
  type Role,
  roleOfKey,
  roleReaches,
  type SessionPrincipal,
  scopesInclude,
  type Via,
} from '@waymark/contracts';
import type { Logger } from '../process/logger.ts';

/** A caller is looked up again after a longer wait: a revocation takes effect within 250 ms. */
export const FRESH_MS = 250;

/** A caller's rights in one workspace. */
export interface Access {
  workspaceId: string;
  plan: Plan;
  qualityModel: QualityModel;
  hiddenForecasts: boolean;
  /** Null for an API key without a role. */
  role: Role | null;
}

/** Looks up a user's membership in a workspace, or in their only one if `workspaceId` is null. */
export type ResolveMembership = (userId: string, workspaceId: string | null) => Promise<Membership | null>;

/** The transaction that the operations of a batch share. The store declares what it can do. */
// biome-ignore lint/suspicious/noEmptyInterface: store/transaction.ts extends it; http knows no store
export interface Batch {}

/** Everything about a request except its input. */
export interface RequestContext {
  readonly operation: Operation;
  readonly principal: Principal;
  readonly actor: Actor;
  readonly requestId: string;
  readonly clientAddress: string | null;
  readonly userAgent: string | null;
  readonly acceptLanguage: string | null;
  readonly via: Via;
  readonly log: Logger;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Identifies a write for idempotency: the hash of principal and key, and a fingerprint of the request. */
  readonly idempotency: { id: string; fingerprint: string } | null;
  /** Nothing is committed after this time, by `performance.now()`: the gateway is about to give up. */
  readonly deadlineMs: number;
  /** Throws before the caller was authorized for a workspace, so that no query runs without it. */
  readonly access: Access;
  /** Sets `access` for a workspace, or throws WORKSPACE_MISMATCH, FORBIDDEN or PLAN_GATE. */
  authorize(workspaceId: string): Promise<Access>;
  /** Looks the caller up again after a wait, and `access` if it is set. Throws also UNAUTHORIZED. */
  confirm(): Promise<void>;
  /**
   * Returns the error for a record outside the authorized workspace: NOT_FOUND if it does not exist (null) or
   * the caller may also access its workspace, otherwise the refusal for that workspace.
   */
  missing(elsewhereWorkspaceId: string | null): Promise<ApiError>;
  /** The transaction of the operation's batch. Reads with its session see the earlier operations. */
  readonly batch: Batch | null;
  /** Returns the context of an operation in a batch: with its own rights, in the workspace of the batch. */
  itemContext(operation: Operation, ifMatch: string | undefined, batch: Batch): RequestContext;
  /** Returns a signal that aborts when the client can no longer receive the answer. */
  gone(): AbortSignal;
  /** Lets another page of a list begin, before this one waits for something else. */
  leaveEarly(): void;
  setHeader(name: string, value: string | string[]): void;
}

/** Returns the actor that events and the audit log name. */
export function actorOf(principal: Principal): Actor {
  if (principal.type === 'api_key') {
    const { service_account, user_id, key_id, key_name, key_prefix } = principal;
    return service_account
      ? { type: 'service_account', id: user_id, name: service_account.name, key_prefix }
      : { type: 'api_key', id: key_id, name: key_name, key_prefix };
  }
  if (principal.type === 'session')
    return { type: 'session', id: principal.user_id, name: principal.user_name, key_prefix: null };
  if (principal.type === 'service')
    return { type: 'service', id: null, name: principal.service, key_prefix: null };
  return { type: 'anonymous', id: null, name: null, key_prefix: null };
}

/** Refuses callers of the wrong kind: the checks that do not depend on a workspace. */
export function checkCaller(operation: Operation, principal: Principal): void {
  if ((operation.caller === 'service') !== (principal.type === 'service')) throw new ApiError('UNAUTHORIZED');
  if (['everyone', 'feed', 'service'].includes(operation.caller)) return;
  if (principal.type === 'anonymous') throw new ApiError('UNAUTHORIZED');
  if (principal.type !== 'api_key') return;
  if (operation.caller === 'session') throw keyOnSettings('API keys may not do this; sign in.');
  if (operation.caller === 'session_or_service_account' && !roleOfKey(principal))
    throw keyOnSettings('This API key may not do this; use one of a service account, or sign in.');
  const { scope: requiredScope } = operation;
  if (requiredScope && !scopesInclude(principal.scopes, requiredScope)) {
    const message = `This API key lacks the scope "${requiredScope}".`;
    throw new ApiError('INSUFFICIENT_SCOPE', { message, requiredScope });
  }
  if (!planIncludes(principal.plan, 'api_keys')) throw planGate('api_keys');
}

/** Throws FORBIDDEN for a change of settings that would outlast a key with an end or a list of addresses. */
export function checkForRestrictedKey({ caller, scope, method, forRestrictedKeys }: Operation): void {
  if (caller !== 'session_or_service_account' || scope === 'read') return;
  if (method === 'DELETE' || forRestrictedKeys) return;
  const message = 'A key that expires or has a list of addresses may not change this setting; sign in.';
  throw new ApiError('FORBIDDEN', { reason: 'key_restrictions', message });
}

const keyOnSettings = (message: string) => new ApiError('FORBIDDEN', { reason: 'key_on_settings', message });

function planGate(feature: PlanFeature): ApiError {
  const what = feature === 'audit_log' ? 'Audit logs' : 'API keys';
  const requiredPlan = leastPlanWith(feature);
  return new ApiError('PLAN_GATE', {
    message: `${what} need the Business plan or a higher one.`,
    requiredPlan,
  });
}

/** Returns the caller's rights in `workspaceId`, or throws the refusal. */
export async function authorizeIn(
  operation: Operation,
  principal: Principal,
  workspaceId: string,
  resolveMembership: ResolveMembership,
): Promise<Access> {
  let membership = membershipIn(principal, workspaceId);
  if (principal.type === 'session') membership ??= await resolveMembership(principal.user_id, workspaceId);
  return accessIn(operation, principal, workspaceId, membership);
}

/** Returns the membership that a principal carries, if it is for this workspace. */
export function membershipIn(principal: Principal, workspaceId: string): Membership | null {
  const membership = membershipOf(principal);
  return membership?.workspace_id === workspaceId ? membership : null;
}

/** Does the checks of `authorizeIn` for a membership that was looked up before; null means no membership. */
export function accessIn(
  operation: Operation,
  principal: Principal,
  workspaceId: string,
  membership: Membership | null,
): Access {
  if (principal.type === 'api_key') {
    if (principal.workspace_id !== workspaceId) throw new ApiError('WORKSPACE_MISMATCH');
    if (!roleOfKey(principal))
      return checkFeature(operation, { ...settingsOf(principal), workspaceId, role: null });
  } else if (principal.type !== 'session') throw new ApiError('UNAUTHORIZED');
  if (!membership) {
    const message = 'You are not a member of this workspace.';
    throw new ApiError('FORBIDDEN', { reason: 'not_a_member', message });
  }
  const { role, requires_second_factor: isRequired } = membership;
  if (isRequired && principal.type === 'session' && !principal.second_factor) throw secondFactorRequired();
  if (operation.role && !roleReaches(role, operation.role))
    throw new ApiError('FORBIDDEN', {
      reason: 'role',
      message: `This needs the role ${operation.role}; yours is ${role}.`,
    });
  return checkFeature(operation, { ...settingsOf(membership), workspaceId, role });
}

const settingsOf = ({ plan, quality_model = 'dq-1', hidden_forecasts }: Membership | KeyPrincipal) => ({
  plan,
  qualityModel: quality_model,
  hiddenForecasts: hidden_forecasts === true,
});

const secondFactorRequired = () =>
  new ApiError('FORBIDDEN', {
    reason: 'second_factor',
    message:
      'This workspace requires a second factor. Sign in with a passkey or a code, or add one in your account settings.',
  });

function checkFeature(operation: Operation, access: Access): Access {
  if (operation.feature && !planIncludes(access.plan, operation.feature)) throw planGate(operation.feature);
  return access;
}

/** Returns the caller's session. Throws UNAUTHORIZED for a caller without one. */
export function signedIn({ principal }: Pick<RequestContext, 'principal'>): SessionPrincipal {
  if (principal.type !== 'session') throw new ApiError('UNAUTHORIZED');
  return principal;
}
