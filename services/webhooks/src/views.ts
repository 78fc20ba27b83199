import type { Delivery, DeliveryWithAttempts, Webhook, WebhookWithSecret } from '@waymark/contracts';
import type { DeliveryRecord, EndpointRecord } from './store.ts';

/** What the outside sees of an endpoint: secrets and bookkeeping stay behind because each field is named. */
export function webhookView(endpoint: EndpointRecord, nowMs: number): Webhook {
  const { id, workspace_id, url, description, events, max_per_second, enabled } = endpoint;
  const { disabled_reason, disabled_at, failing_since, created_at, updated_at } = endpoint;
  return {
    id,
    workspace_id,
    url,
    description,
    events,
    max_per_second,
    enabled,
    disabled_reason,
    disabled_at,
    failing_since,
    previous_secret_until: isRotating(endpoint, nowMs) ? endpoint.previous_secret_until : null,
    created_at,
    updated_at,
  };
}

/** What a repeated request gets. */
export function withoutSecret(answer: WebhookWithSecret): WebhookWithSecret {
  const { secret: _secret, ...rest } = answer;
  return rest;
}

/** Whether the previous secret still signs. */
export function isRotating(endpoint: EndpointRecord, nowMs: number): boolean {
  const until = endpoint.previous_secret_until;
  return until !== null && Date.parse(until) > nowMs;
}

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
