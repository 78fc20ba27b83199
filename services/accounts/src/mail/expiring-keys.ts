import { limits } from '@waymark/contracts';
import { serviceContext } from '@waymark/service-kit/store';
import { type AccountsContext, timestamp } from '../context.ts';
import type { ApiKeyRecord } from '../store/api-keys.ts';

const NOTICE_MS = limits.keyExpiryNoticeSeconds * 1_000;
const EVERY_MS = 600_000;

/** Returns a function that queues mails about keys that expire within a week; it looks every ten minutes. */
export function expiringKeys(service: AccountsContext) {
  const { commit, mailLimits, now, store } = service;
  let nextMs = Number.NEGATIVE_INFINITY;

  async function tell({ id, created_by, created_at, expires_at, workspace_id }: ApiKeyRecord): Promise<void> {
    await commit(serviceContext('accounts', workspace_id), async ({ session }) => {
      if (!(await store.apiKeys.markExpiryTold(id, session))) return;
      // Whoever makes a key for a few days knows that it ends.
      if (Date.parse(expires_at!) - Date.parse(created_at) <= NOTICE_MS) return;
      const creator = await store.users.byId(created_by, session);
      const topic = { kind: 'key_expiry', key_id: id, workspace_id } as const;
      if (!creator || !(await mailLimits.mayMailKeyExpiry(creator.email))) return;
      await store.mails.insert(topic, creator.email, now(), session);
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
