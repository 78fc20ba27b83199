import { createHash } from 'node:crypto';
import type { EventEnvelope, WebhookPayload } from '@waymark/contracts';
import type { DeliveryRecord, EndpointKey } from '../store/index.ts';

export function payloadOf(
  { id, type, time, data }: Pick<EventEnvelope, 'id' | 'type' | 'time' | 'data'>,
  workspace_id: string,
): WebhookPayload {
  return { id, type, created_at: time, workspace_id, data };
}

/** Creates the delivery of an event to an endpoint, due at once. `text` is the payload as it is sent. */
export function newDelivery(options: {
  payload: WebhookPayload;
  text?: string;
  endpoint: EndpointKey;
  who?: string | null;
  maxAttempts: number;
  now: string;
  traceparent?: string | undefined;
}): DeliveryRecord {
  const { payload, text = JSON.stringify(payload), endpoint, who, maxAttempts, now, traceparent } = options;
  return {
    id: deliveryIdOf(payload.id, endpoint.id, Date.parse(payload.created_at)),
    workspace_id: endpoint.workspace_id,
    webhook_id: endpoint.id,
    event_id: payload.id,
    event_type: payload.type,
    status: 'pending',
    series: 1,
    attempt: 0,
    max_attempts: maxAttempts,
    next_attempt_at: now,
    created_at: now,
    finished_at: null,
    payload: text,
    attempts: [],
    queue: endpoint.id,
    due_at: now,
    lease: null,
    ...(who && { who }),
    ...(traceparent && { traceparent }),
  };
}

/**
 * Returns the only id that an event's delivery to an endpoint can have, so that none is stored twice: a
 * UUIDv7 (RFC 9562) of the event's time whose random bits are a hash of the two ids.
 */
export function deliveryIdOf(eventId: string, webhookId: string, timeMs: number): string {
  const bytes = createHash('sha256').update(`${eventId}/${webhookId}`).digest().subarray(0, 16);
  bytes.writeUIntBE(timeMs, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
