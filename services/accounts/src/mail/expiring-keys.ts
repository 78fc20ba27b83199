import { limits } from '@waymark/contracts';
import { type DatabaseSession, serviceContext } from '@waymark/service-kit/store';
import { type AccountsContext, timestamp } from '../context.ts';
import type { ApiKeyRecord } from '../store/api-keys.ts';

const NOTICE_MS = limits.keyExpiryNoticeSeconds * 1_000;
const EVERY_MS = 600_000;

/** Returns a function that reports keys that expire within a week; it looks every ten minutes. */
export function expiringKeys(service: AccountsContext) {
  const { commit, now, store } = service;
  let nextMs = Number.NEGATIVE_INFINITY;

  async function tell(key: ApiKeyRecord): Promise<void> {
    const { id, name, key_prefix, created_at, expires_at, workspace_id } = key;
    await commit(serviceContext('accounts', workspace_id), async ({ session, emit }) => {
      if (!(await store.apiKeys.markExpiryTold(id, session))) return;
      // A person who makes a key for a few days knows that it ends.
      if (Date.parse(expires_at!) - Date.parse(created_at) <= NOTICE_MS) return;
      emit('api_key.expiring', {
        subject: { type: 'api_key', id, version: key.version },
        data: { id, name, key_prefix, expires_at, user_ids: await recipientsOf(service, key, session) },
      });
    });
  }

  return async (stopping: AbortSignal): Promise<void> => {
    if (stopping.aborted || now() < nextMs) return;
    // Not all of many at once: the mails that people wait for come next.
    const keys = await store.apiKeys.expiring(timestamp(service), timestamp(service, now() + NOTICE_MS));
    for (const key of keys) await tell(key);
    if (keys.length === 0) nextMs = now() + EVERY_MS;
  };
}

/** Returns the creator of a key, or the owners of its workspace if that is a service account or has left. */
async function recipientsOf(
  { store }: AccountsContext,
  { created_by, workspace_id }: ApiKeyRecord,
  session: DatabaseSession,
): Promise<string[]> {
  const { membership } = await store.members.lookUp(created_by, workspace_id, session);
  if (membership && (await store.users.byId(created_by, session))) return [created_by];
  return (await store.members.owners(workspace_id, session)).map(({ user_id }) => user_id);
}
