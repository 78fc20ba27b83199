import type { Webhook, WebhookWithSecret } from '@waymark/contracts';
import type { EndpointRecord } from '../store/index.ts';

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
