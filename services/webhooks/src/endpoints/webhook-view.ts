import { type Changes, Webhook, type WebhookWithSecret } from '@waymark/contracts';
import { pickFields } from '@waymark/service-kit/http';
import { changesBetween } from '@waymark/service-kit/store';
import type { EndpointRecord } from '../store/index.ts';

export function webhookView(endpoint: EndpointRecord, nowMs: number): Webhook {
  const previous_secret_until = isRotating(endpoint, nowMs) ? endpoint.previous_secret_until : null;
  return pickFields(Webhook, { ...endpoint, previous_secret_until });
}

/** Hides the address of a chat, because whoever knows it may write there. Only settings show it whole. */
export const shownUrl = ({ format, url }: Pick<Webhook, 'format' | 'url'>): string =>
  format === 'waymark' ? url : `${new URL(url).origin}/…${url.slice(-4)}`;

/** An endpoint as events describe it. */
export function eventView(endpoint: EndpointRecord, nowMs: number): Webhook {
  return { ...webhookView(endpoint, nowMs), url: shownUrl(endpoint) };
}

/** Removes the secret, for the response to a repeated request. */
export function withoutSecret({ secret: _secret, ...rest }: WebhookWithSecret): WebhookWithSecret {
  return rest;
}

export function isRotating({ previous_secret_until: until }: EndpointRecord, nowMs: number): boolean {
  return until !== null && Date.parse(until) > nowMs;
}

export const subjectOf = ({ id, version }: EndpointRecord) => ({ type: 'webhook' as const, id, version });

const AUDITED = ['url', 'description', 'format', 'events', 'max_per_second', 'enabled'] as const;

/** Returns the changes for the audit log. Of URLs it keeps the origin, because a path can be secret. */
export function auditedChanges(before: EndpointRecord | null, after: EndpointRecord | null): Changes {
  const changes = changesBetween(before, after, AUDITED);
  const origin = (endpoint: EndpointRecord | null) => endpoint && new URL(endpoint.url).origin;
  return changes['url'] ? { ...changes, url: { before: origin(before), after: origin(after) } } : changes;
}
