import { ApiError, type Delivery } from '@waymark/contracts';
import { authorizeRecord, type RequestContext } from '@waymark/service-kit/http';
import type { WebhooksContext } from '../context.ts';
import { commitDue } from '../endpoints/find-endpoint.ts';
import { deliveryView } from './delivery-view.ts';

/** Starts a new series of attempts under the old id. Throws CONFLICT while an attempt is due or under way. */
export async function replayDelivery(
  service: WebhooksContext,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<Delivery> {
  const { deliveries } = service.store;
  const { webhook_id, workspace_id } = await authorizeRecord(ctx, await deliveries.byId(id), named);
  return commitDue(
    service,
    ctx,
    { id: webhook_id, workspace_id },
    async ({ session, emit }, endpoint, now) => {
      const before = await deliveries.byId(id, session);
      if (!before) throw new ApiError('NOT_FOUND');
      const isWaiting =
        before.lease === null && before.next_attempt_at !== null && before.next_attempt_at > now;
      if (before.status === 'pending' && !isWaiting) {
        throw new ApiError('CONFLICT', { message: 'This delivery is on its way; see next_attempt_at.' });
      }
      const maxAttempts = service.config.webhookMaxAttempts;
      await deliveries.restart(endpoint, [id], before.status, { now, maxAttempts, session });
      const data = deliveryView((await deliveries.byId(id, session))!);
      emit('delivery.replayed', { subject: { type: 'delivery', id, version: data.series }, data });
      return data;
    },
    new ApiError('CONFLICT', { message: 'The webhook of this delivery was deleted.' }),
  );
}
