export type { CallInternal } from './client/internal-client.ts';
export { type MembersById, membersAmong } from './client/members-among.ts';
export { openReplicas, type Replica, type Replicas } from './client/replicas.ts';
export { assertIdentityAccepted, UpstreamFailure, upstreamFailureOf } from './client/upstream-failure.ts';
export { clientNetwork, clientNetworks } from './client-network.ts';
export { toApiError } from './failure.ts';
export * from './handlers.ts';
export { type IdentityTokens, identityTokens } from './identity-token.ts';
export { endLingering } from './linger.ts';
export { requireWorkspace } from './named-workspace.ts';
export { bodyTooLarge, parseBody } from './read-body.ts';
export * from './record-checks.ts';
export * from './request-context.ts';
export { namedWeakly } from './respond.ts';
export { serveOperations } from './serve.ts';
export { exportPages, type LimitPages } from './shares/export-pages.ts';
export { tenantsOf } from './shares/tenants.ts';
export {
  type Bounded,
  type ScanRequest,
  type WorkspaceScans,
  workspaceScans,
} from './shares/workspace-scans.ts';
export { pickFields, validate } from './validate.ts';
