import { ApiError } from '@waymark/contracts';
import { authorizeRecord, type RequestContext } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { WebhooksContext } from '../context.ts';
import type { EndpointRecord } from '../store/index.ts';

type Reader = Pick<WebhooksContext, 'store'>;

/** Returns an endpoint that the caller may see; `named` is the workspace that the request names, if any. */
export async function findEndpoint(
  { store }: Reader,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<EndpointRecord> {
  const endpoint = await store.endpoints.byId(id);
  return authorizeRecord(ctx, endpoint?.deleted_at === null ? endpoint : null, named);
}

/** Reads an endpoint within a transaction. Throws `ifDeleted` when it was deleted. */
export async function readEndpoint(
  { store }: Reader,
  id: string,
  tx: Transaction,
  ifDeleted = new ApiError('NOT_FOUND'),
): Promise<EndpointRecord> {
  const endpoint = await store.endpoints.byId(id, tx.session);
  if (!endpoint || endpoint.deleted_at !== null) throw ifDeleted;
  return endpoint;
}

/** Reads an endpoint within a transaction. Throws `ifDeleted`, and CONFLICT when it is disabled. */
export async function readEnabledEndpoint(
  service: Reader,
  id: string,
  tx: Transaction,
  ifDeleted?: ApiError,
): Promise<EndpointRecord> {
  const endpoint = await readEndpoint(service, id, tx, ifDeleted);
  if (endpoint.enabled) return endpoint;
  throw new ApiError('CONFLICT', { message: 'This webhook is disabled; enable it first.' });
}

/** Queues the changes of one endpoint in this process, so that they do not conflict in the store. */
export const queueKeyOf = (webhookId: string) => `webhook/${webhookId}`;
