import { ApiError, type Delivery } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { WebhooksContext } from '../context.ts';
import { queueKeyOf, readEnabledEndpoint } from '../endpoints/find-endpoint.ts';
import { deliveryView } from './delivery-view.ts';
import { findDelivery } from './find-delivery.ts';

/**
 * Starts a new series of attempts of a finished or held delivery, under its old id. Throws CONFLICT when the
 * delivery is pending, or its endpoint was deleted or is disabled.
 */
export async function replayDelivery(
  service: WebhooksContext,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<Delivery> {
  const { webhook_id, workspace_id } = await findDelivery(service, ctx, id, named);
  const { deliveries } = service.store;
  const maxAttempts = service.config.webhookMaxAttempts;
  const view = await service.commit(
    ctx,
    async (tx) => {
      const { session } = tx;
      const before = await deliveries.byId(id, session);
      if (!before) throw new ApiError('NOT_FOUND');
      const endpoint = await readEnabledEndpoint(service, webhook_id, tx, webhookDeleted());
      if (before.status === 'pending') {
        throw new ApiError('CONFLICT', { message: 'This delivery is on its way; see next_attempt_at.' });
      }
      const now = new Date(service.now()).toISOString();
      await deliveries.restart(endpoint, [id], before.status, { now, maxAttempts, session });
      const data = deliveryView((await deliveries.byId(id, session))!);
      tx.emit('delivery.replayed', { subject: { type: 'delivery', id, version: data.series }, data });
      return data;
    },
    { queueKey: queueKeyOf(webhook_id) },
  );
  service.deliveriesDue({ id: webhook_id, workspace_id });
  return view;
}

function webhookDeleted(): ApiError {
  return new ApiError('CONFLICT', { message: 'The webhook of this delivery was deleted.' });
}
