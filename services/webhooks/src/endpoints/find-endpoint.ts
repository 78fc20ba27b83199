import { ApiError } from '@waymark/contracts';
import { authorizeRecord, type RequestContext } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { WebhooksContext } from '../context.ts';
import type { EndpointKey, EndpointRecord } from '../store/index.ts';

/** Returns an endpoint that the caller may see; `named` is the workspace that the request names, if any. */
export async function findEndpoint(
  { store }: WebhooksContext,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<EndpointRecord> {
  const endpoint = await store.endpoints.byId(id);
  return authorizeRecord(ctx, endpoint?.deleted_at === null ? endpoint : null, named);
}

/** Reads an endpoint within a transaction. Throws `ifDeleted` when it was deleted. */
export async function readEndpoint(
  { store }: WebhooksContext,
  id: string,
  tx: Transaction,
  ifDeleted = new ApiError('NOT_FOUND'),
): Promise<EndpointRecord> {
  const endpoint = await store.endpoints.byId(id, tx.session);
  if (!endpoint || endpoint.deleted_at !== null) throw ifDeleted;
  return endpoint;
}

/** Commits `work` that makes deliveries due, and wakes the queue. Throws CONFLICT for a disabled endpoint. */
export async function commitDue<T>(
  service: WebhooksContext,
  ctx: RequestContext,
  key: EndpointKey,
  work: (tx: Transaction, endpoint: EndpointRecord, now: string) => Promise<T>,
  ifDeleted?: ApiError,
): Promise<T> {
  const run = async (tx: Transaction) => {
    const endpoint = await readEndpoint(service, key.id, tx, ifDeleted);
    if (endpoint.enabled) return work(tx, endpoint, new Date(service.now()).toISOString());
    throw new ApiError('CONFLICT', { message: 'This webhook is disabled; enable it first.' });
  };
  const result = await service.commit(ctx, run, { queueKey: queueKeyOf(key.id) });
  service.deliveriesDue(key);
  return result;
}

/** Queues the changes of one endpoint in this process, so that they do not conflict in the store. */
export const queueKeyOf = (webhookId: string) => `webhook/${webhookId}`;
