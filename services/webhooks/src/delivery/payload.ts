import { createHash } from 'node:crypto';
import type { EventEnvelope, WebhookPayload } from '@waymark/contracts';

/** The body of an event's deliveries, as the text that is stored, signed and sent. */
export function payloadOf(
  event: Pick<EventEnvelope, 'id' | 'type' | 'time' | 'data'>,
  workspaceId: string,
): string {
  return payloadText({
    id: event.id,
    type: event.type,
    created_at: event.time,
    workspace_id: workspaceId,
    data: event.data,
  });
}

export function payloadText(payload: WebhookPayload): string {
  return JSON.stringify(payload);
}

/**
 * The one id that an event's delivery to an endpoint can have, so that the store's own uniqueness makes a second
 * delivery impossible: a UUIDv7 (RFC 9562) of the event's time whose random bits are hashed from the two ids.
 */
export function deliveryIdOf(eventId: string, webhookId: string, timeMs: number): string {
  const bytes = createHash('sha256').update(`${eventId}/${webhookId}`).digest().subarray(0, 16);
  bytes.writeUIntBE(timeMs, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
