import { createHash } from 'node:crypto';
import { type GrantTokenRequest, hashSecret, limits, mintAccessToken } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { revokeKey, updateApiKey } from '../api-keys.ts';
import { isUsable, principalOf } from '../callers.ts';
import { type AccountsContext, timestamp } from '../context.ts';
import { randomSecret } from '../credentials/derived-secrets.ts';
import type { GrantState } from '../store/api-keys.ts';
import { isTokenResource } from './grants.ts';

/**
 * Exchanges a code or refresh token for an access token and the next refresh token. A used code or refresh
 * token, and one with a wrong verifier, client or address, ends its grant: somebody else may have the valid
 * one. Returns null for it, and for an unknown one.
 */
export function exchangeToken(service: AccountsContext, ctx: RequestContext, request: GrantTokenRequest) {
  const { commit, store, now } = service;
  const secret = request.grant_type === 'refresh_token' ? request.refresh_token : request.code;
  const [family = ''] = secret.split('.');
  return commit(ctx, async (tx) => {
    const key = await store.apiKeys.byFamily(hashSecret(family), tx.session);
    if (!key?.grant || !isUsable(service, key)) return null;
    if (!isOwn(service, key.grant, request, secret)) {
      await revokeKey(service, tx, key);
      return null;
    }
    const workspace = await store.workspaces.byId(key.workspace_id, tx.session);
    const principal = workspace && (await principalOf(service, key, workspace));
    if (!principal) return null;
    const access_token = mintAccessToken();
    const refresh_token = `${family}.${randomSecret()}`;
    const endMs = Date.parse(key.created_at) + limits.grantSeconds * 1_000;
    const after = (seconds: number) => timestamp(service, Math.min(now() + seconds * 1_000, endMs));
    await updateApiKey(service, tx, key, {
      key_hash: hashSecret(access_token),
      expires_at: after(limits.refreshTokenSeconds),
      grant: {
        ...key.grant,
        code_challenge: null,
        next_hash: hashSecret(refresh_token),
        access_expires_at: after(limits.accessTokenSeconds),
      },
    });
    return {
      access_token,
      token_type: 'Bearer' as const,
      expires_in: limits.accessTokenSeconds,
      refresh_token,
      scope: principal.scopes.join(' '),
    };
  });
}

function isOwn(
  service: AccountsContext,
  grant: GrantState,
  request: GrantTokenRequest,
  secret: string,
): boolean {
  const { client_id, resource } = request;
  if (grant.next_hash !== hashSecret(secret) || grant.client_id !== client_id) return false;
  if (!isTokenResource(service, resource)) return false;
  if (request.grant_type === 'refresh_token') return grant.code_challenge === null;
  const challenge = createHash('sha256').update(request.code_verifier).digest('base64url');
  return grant.code_challenge === challenge && grant.redirect_uri === request.redirect_uri;
}
