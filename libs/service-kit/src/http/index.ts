export { matches } from './answer.ts';
export { authorizeRecord } from './authorize-record.ts';
export { clientNetwork } from './client-network.ts';
export { toApiError } from './failure.ts';
export type { Call, Handler, Handlers, StreamedBody } from './handlers.ts';
export { IDENTITY_TOKEN_SECONDS, type IdentityTokens, identityTokens } from './identity-token.ts';
export type { CallInternal } from './internal-client.ts';
export { JsonParts } from './json-parts.ts';
export { parseJson } from './read-body.ts';
export {
  type Access,
  accessIn,
  authorizeIn,
  checkCaller,
  membershipIn,
  type RequestContext,
  type ResolveMembership,
} from './request-context.ts';
export { serveOperations } from './serve.ts';
export { validate } from './validate.ts';
