import { limits } from '@waymark/contracts';
import { type DatabaseSession, serviceContext } from '@waymark/service-kit/store';
import { type AccountsContext, timestamp } from '../context.ts';
import type { ApiKeyRecord } from '../store/api-keys.ts';
import type { UserRecord } from '../store/users.ts';

const NOTICE_MS = limits.keyExpiryNoticeSeconds * 1_000;
const EVERY_MS = 600_000;

/**
 * Returns a function that tells of keys that expire within a week, in the inbox and, if the installation
 * sends e-mail, by mail; it looks every ten minutes.
 */
export function expiringKeys(service: AccountsContext) {
  const { commit, config, mailLimits, now, store } = service;
  let nextMs = Number.NEGATIVE_INFINITY;

  async function tell(key: ApiKeyRecord): Promise<void> {
    const { id, name, created_at, expires_at, workspace_id } = key;
    await commit(serviceContext('accounts', workspace_id), async ({ session, emit }) => {
      if (!(await store.apiKeys.markExpiryTold(id, session))) return;
      // Whoever makes a key for a few days knows that it ends.
      if (Date.parse(expires_at!) - Date.parse(created_at) <= NOTICE_MS) return;
      const topic = { kind: 'key_expiry', key_id: id, workspace_id } as const;
      const recipients = await recipientsOf(service, key, session);
      const user_ids = recipients.map((user) => user.id);
      emit('api_key.expiring', {
        subject: { type: 'api_key', id, version: key.version },
        data: { id, name, user_ids },
      });
      for (const { email } of config.mail ? recipients : []) {
        if (await mailLimits.mayMailKeyExpiry(email)) await store.mails.insert(topic, email, now(), session);
      }
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
export async function recipientsOf(
  { store }: AccountsContext,
  { created_by, workspace_id }: ApiKeyRecord,
  session?: DatabaseSession,
): Promise<UserRecord[]> {
  const { membership } = await store.members.lookUp(created_by, workspace_id, session);
  const creator = membership && (await store.users.byId(created_by, session));
  if (creator) return [creator];
  const owners = await store.members.owners(workspace_id, session);
  const ids = owners.map(({ user_id }) => user_id);
  return [...(await store.users.byIds(ids, session)).values()];
}
