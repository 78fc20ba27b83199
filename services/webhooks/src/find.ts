import { ApiError } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit';
import type { DeliveryRecord, EndpointRecord, WebhookStore } from './store.ts';

/**
 * Authorizes the caller in the workspace of a record that the path names. A workspace named beside it is a
 * cross-check: a wrong one is NOT_FOUND to who may see both, FORBIDDEN to who may not.
 */
async function authorizeRecord(
  ctx: RequestContext,
  workspaceId: string,
  named: string | undefined,
): Promise<void> {
  if (named !== undefined && named !== workspaceId) {
    await ctx.authorize(named);
    throw await ctx.missing(workspaceId);
  }
  await ctx.authorize(workspaceId);
}

export async function findEndpoint(
  store: WebhookStore,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<EndpointRecord> {
  const endpoint = await store.endpoints.byId(id);
  if (!endpoint || endpoint.deleted_at !== null) throw new ApiError('NOT_FOUND');
  await authorizeRecord(ctx, endpoint.workspace_id, named);
  return endpoint;
}

export async function findDelivery(
  store: WebhookStore,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<DeliveryRecord> {
  const delivery = await store.deliveries.byId(id);
  if (!delivery) throw new ApiError('NOT_FOUND');
  await authorizeRecord(ctx, delivery.workspace_id, named);
  return delivery;
}
