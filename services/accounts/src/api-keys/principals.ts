import type { ApiKeyRecord } from '../store/api-keys.ts';
import type { Store } from '../store/index.ts';
import { keyTag, workspaceTag } from '../tags.ts';

/** What other processes ask on a cache miss. Tags are read no later than what they vouch for. */
export function createPrincipals({ store, now }: { store: Store; now: () => number }) {
  const isUsable = ({ revoked_at, expires_at }: ApiKeyRecord) =>
    revoked_at === null && (expires_at === null || expires_at > new Date(now()).toISOString());

  return {
    async resolveKey(hash: string) {
      const key = await store.apiKeys.byHash(hash);
      if (!key) return { principal: null, allowed_ips: [], expires_at: null, tags: { [keyTag(hash)]: 0 } };
      const workspace = await store.workspaces.byId(key.workspace_id);
      const tags = {
        [keyTag(hash)]: key.version,
        // None for one that was deleted: no later version can be announced, and this one would seem stale for ever.
        ...(workspace && { [workspaceTag(key.workspace_id)]: workspace.revision }),
      };
      if (!workspace || !isUsable(key)) return { principal: null, allowed_ips: [], expires_at: null, tags };
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
    },

    async resolveMembership(userId: string, workspaceId: string) {
      const { membership, since, revision } = await store.members.standing(userId, workspaceId);
      const tags = revision === null ? {} : { [workspaceTag(workspaceId)]: revision };
      return { membership, member_since: since, tags };
    },
  };
}
