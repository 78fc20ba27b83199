import type { WebhookPayload } from '@waymark/contracts';
import type { DeliveryRecord } from '../store/index.ts';
import { deliveryIdOf } from './payload.ts';

/** A delivery of an event to an endpoint, due at once. `text` is the payload as it is signed and sent. */
export function newDelivery(options: {
  event: Pick<WebhookPayload, 'id' | 'type' | 'created_at'>;
  text: string;
  endpoint: { id: string; workspace_id: string };
  maxAttempts: number;
  now: string;
  traceparent?: string | undefined;
}): DeliveryRecord {
  const { event, text, endpoint, maxAttempts, now, traceparent } = options;
  return {
    id: deliveryIdOf(event.id, endpoint.id, Date.parse(event.created_at)),
    workspace_id: endpoint.workspace_id,
    webhook_id: endpoint.id,
    event_id: event.id,
    event_type: event.type,
    status: 'pending',
    series: 1,
    attempt: 0,
    max_attempts: maxAttempts,
    next_attempt_at: now,
    created_at: now,
    finished_at: null,
    payload: text,
    attempts: [],
    lane: endpoint.id,
    due_at: now,
    lease: null,
    ...(traceparent && { traceparent }),
  };
}
