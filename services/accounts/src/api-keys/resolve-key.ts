import type { AccountsContext } from '../context.ts';
import { timestamp } from '../context.ts';
import { keyTag, workspaceTag } from '../tags.ts';

/**
 * Answers another process that has no cached key. The versions in `tags` are never newer than the records
 * that the answer was made from.
 */
export async function resolveKey(service: AccountsContext, hash: string) {
  const { store } = service;
  const unusable = { principal: null, allowed_ips: [], expires_at: null };
  const key = await store.apiKeys.byHash(hash);
  if (!key) return { ...unusable, tags: { [keyTag(hash)]: 0 } };
  const workspace = await store.workspaces.byId(key.workspace_id);
  const tags = {
    [keyTag(hash)]: key.version,
    // No tag for a deleted workspace: no later version can be announced, so the answer would stay stale
    // forever.
    ...(workspace && { [workspaceTag(key.workspace_id)]: workspace.revision }),
  };
  const isExpired = key.expires_at !== null && key.expires_at <= timestamp(service);
  if (!workspace || key.revoked_at !== null || isExpired) return { ...unusable, tags };
  return {
    principal: {
      type: 'api_key' as const,
      key_id: key.id,
      key_name: key.name,
      key_prefix: key.key_prefix,
      user_id: key.created_by,
      workspace_id: key.workspace_id,
      scopes: key.scopes,
      plan: workspace.plan,
    },
    allowed_ips: key.allowed_ips,
    expires_at: key.expires_at,
    tags,
  };
}
