import type { Delivery, DeliveryWithAttempts } from '@waymark/contracts';
import type { DeliveryRecord } from '../store/index.ts';

export function deliveryView(delivery: Omit<DeliveryRecord, 'payload' | 'attempts'>): Delivery {
  const { id, workspace_id, webhook_id, event_id, event_type, status, series, attempt } = delivery;
  const { max_attempts, next_attempt_at, created_at, finished_at } = delivery;
  return {
    id,
    workspace_id,
    webhook_id,
    event_id,
    event_type,
    status,
    series,
    attempt,
    max_attempts,
    next_attempt_at,
    created_at,
    finished_at,
  };
}

export function deliveryWithAttempts(delivery: DeliveryRecord): DeliveryWithAttempts {
  const { attempts, payload } = delivery;
  return {
    ...deliveryView(delivery),
    payload: JSON.parse(payload),
    body: payload,
    attempts: attempts.map((attempt) => ({ request: null, response_headers: null, ...attempt })),
  };
}
