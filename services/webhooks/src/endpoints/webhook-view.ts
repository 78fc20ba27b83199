import { type Changes, Webhook, type WebhookWithSecret } from '@waymark/contracts';
import { changesBetween } from '@waymark/service-kit/store';
import { pickFields } from '../pick-fields.ts';
import type { EndpointRecord } from '../store/index.ts';

/** An endpoint as the API returns it. */
export function webhookView(endpoint: EndpointRecord, nowMs: number): Webhook {
  const previous_secret_until = isRotating(endpoint, nowMs) ? endpoint.previous_secret_until : null;
  return pickFields(Webhook, { ...endpoint, previous_secret_until });
}

/** Removes the secret, for the answer to a repeated request. */
export function withoutSecret({ secret: _secret, ...rest }: WebhookWithSecret): WebhookWithSecret {
  return rest;
}

/** Returns whether the previous secret still signs. */
export function isRotating({ previous_secret_until: until }: EndpointRecord, nowMs: number): boolean {
  return until !== null && Date.parse(until) > nowMs;
}

/** The subject of an endpoint's events. */
export const subjectOf = ({ id, version }: EndpointRecord) => ({ type: 'webhook', id, version });

const AUDITED = ['url', 'description', 'events', 'max_per_second', 'enabled'] as const;

/**
 * Returns the changes for the audit log. Of URLs it has only the origin: paths and queries are often as good
 * as a password, and many people may read the log.
 */
export function auditedChanges(before: EndpointRecord | null, after: EndpointRecord | null): Changes {
  const changes = changesBetween(before, after, AUDITED);
  const origin = (endpoint: EndpointRecord | null) => endpoint && new URL(endpoint.url).origin;
  return changes['url'] ? { ...changes, url: { before: origin(before), after: origin(after) } } : changes;
}
