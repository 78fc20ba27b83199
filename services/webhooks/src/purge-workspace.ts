import type { WebhookStore } from './store.ts';

const PER_ROUND = 1_000;

/** Removes everything of a deleted workspace. Safe to repeat; endpoints go first, so that nothing new comes in. */
export async function purgeWorkspace(store: WebhookStore, workspaceId: string): Promise<void> {
  const webhookIds = await store.endpoints.idsOfWorkspace(workspaceId);
  await store.endpoints.removeOfWorkspace(workspaceId);
  while ((await store.deliveries.removeOfWorkspace(workspaceId, PER_ROUND)) > 0);
  await store.counters.remove(webhookIds);
}
