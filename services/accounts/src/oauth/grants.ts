import {
  ACCESS_TOKEN_PREFIX,
  ApiError,
  type Grant,
  type GrantCreate,
  hashSecret,
  invalid,
  limits,
  mintAccessToken,
  newId,
  scopes,
  scopesWithin,
  TOKEN_RESOURCE,
} from '@waymark/contracts';
import { type RequestContext, signedIn } from '@waymark/service-kit/http';
import { changesBetween, subjectOf } from '@waymark/service-kit/store';
import { revokeKey } from '../api-keys.ts';
import { changeWorkspace } from '../change-workspace.ts';
import { type AccountsContext, timestamp } from '../context.ts';
import { randomSecret } from '../credentials/derived-secrets.ts';
import type { ApiKeyRecord } from '../store/api-keys.ts';
import { changeOwnAccount } from '../users.ts';
import { apiKeyView, grantView } from '../views.ts';
import { findClient } from './clients.ts';

export const isTokenResource = ({ config }: AccountsContext, resource: string | undefined) =>
  resource === undefined || resource === config.publicUrl + TOKEN_RESOURCE;

/**
 * Gives a program access in the caller's name, as a key without a role whose first secret is a code. Throws
 * VALIDATION_ERROR, LIMIT_EXCEEDED.
 */
export async function createGrant(service: AccountsContext, ctx: RequestContext, input: GrantCreate) {
  const { config, store, now } = service;
  if (!isTokenResource(service, input.resource)) throw invalid('resource', 'is not the MCP server here');
  const client = await findClient(service, input);
  return changeWorkspace(service, ctx, async ({ tx, workspace, callerId, role }) => {
    // Conflicts with a new password, which ends all grants, and with a grant in another workspace.
    await store.users.update(callerId, tx.session);
    const session = await store.sessions.byId(signedIn(ctx).session_id, tx.session);
    const createdAt = timestamp(service);
    const active = await store.apiKeys.grantsOf(callerId, createdAt, tx.session);
    if (active.length >= limits.grantsPerUser) {
      const message = `You have given ${limits.grantsPerUser} programs access, the maximum; end one first.`;
      throw new ApiError('LIMIT_EXCEEDED', { message });
    }
    const family = randomSecret();
    const code = `${family}.${randomSecret()}`;
    const record: ApiKeyRecord = {
      id: newId(),
      workspace_id: workspace.id,
      name: client.name,
      service_account_id: null,
      // The hash of a token that nobody has: the program gets its first token for the code.
      key_hash: hashSecret(mintAccessToken()),
      key_prefix: ACCESS_TOKEN_PREFIX,
      scopes: scopesWithin(
        role,
        scopes.filter((scope) => input.scopes.includes(scope)),
      ),
      allowed_ips: [],
      settings_until: null,
      created_by: callerId,
      created_at: createdAt,
      expires_at: timestamp(service, now() + limits.grantCodeSeconds * 1_000),
      last_used_at: null,
      revoked_at: null,
      rotated_to: null,
      version: 1,
      grant: {
        client_id: client.client_id,
        redirect_uri: input.redirect_uri,
        code_challenge: input.code_challenge,
        family_hash: hashSecret(family),
        next_hash: hashSecret(code),
        access_expires_at: createdAt,
        second_factor: session?.second_factor ?? null,
      },
    };
    await store.apiKeys.insert(record, tx.session);
    const data = apiKeyView(record);
    const changes = changesBetween(null, data, ['name', 'scopes']);
    tx.emit('api_key.created', { subject: subjectOf('api_key', record), data, changes });
    const url = new URL(input.redirect_uri);
    const result = { code, ...(input.state !== undefined && { state: input.state }), iss: config.publicUrl };
    for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
    return { redirect_to: url.href };
  });
}

/** The grants of the caller whose code was exchanged. */
export async function listGrants(service: AccountsContext, ctx: RequestContext): Promise<Grant[]> {
  const found = await service.store.apiKeys.grantsOf(signedIn(ctx).user_id, timestamp(service));
  return found.filter(({ grant }) => grant?.code_challenge === null).map(grantView);
}

/** Ends a grant of the caller. Throws NOT_FOUND for any other. */
export function revokeGrant(service: AccountsContext, ctx: RequestContext, id: string): Promise<void> {
  return changeOwnAccount(service, ctx, async (tx, user) => {
    const key = await service.store.apiKeys.byId(id, tx.session);
    if (!key?.grant || key.created_by !== user.id)
      throw new ApiError('NOT_FOUND', { message: 'You have given no such access.' });
    if (key.revoked_at === null) await revokeKey(service, tx, key);
  });
}
