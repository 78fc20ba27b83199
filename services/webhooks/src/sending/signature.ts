import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from '../endpoints/signing-secret.ts';

export interface SigningSecrets {
  current: string;
  /** The secret before, during a rotation. */
  previous: string | null;
}

/**
 * The specification's signature: HMAC-SHA256 over `<timestamp>.<raw body>`, keyed with the whole secret, in
 * hex.
 */
function hexSignature(secret: string, timestampSeconds: number, body: Buffer): string {
  return createHmac('sha256', secret).update(`${timestampSeconds}.`).update(body).digest('hex');
}

/** Standard Webhooks 1.0: over `<id>.<timestamp>.<raw body>`, keyed with the decoded part, in base64. */
function standardSignature(secret: string, id: string, timestampSeconds: number, body: Buffer): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body);
  return `v1,${mac.digest('base64')}`;
}

/**
 * Returns the headers of one attempt, with both kinds of signatures. During a rotation the old secret signs
 * the specification's header, which holds one signature, and both secrets sign `webhook-signature`.
 */
export function signedHeaders(options: {
  prefix: string;
  eventType: string;
  deliveryId: string;
  timestampSeconds: number;
  body: Buffer;
  secrets: SigningSecrets;
}): Record<string, string> {
  const { prefix, eventType, deliveryId, timestampSeconds, body, secrets } = options;
  const { current, previous } = secrets;
  const standard = [current, ...(previous === null ? [] : [previous])].map((secret) =>
    standardSignature(secret, deliveryId, timestampSeconds, body),
  );
  return {
    'content-type': 'application/json',
    [`${prefix}Event`]: eventType,
    [`${prefix}Delivery`]: deliveryId,
    [`${prefix}Timestamp`]: String(timestampSeconds),
    [`${prefix}Signature`]: `sha256=${hexSignature(previous ?? current, timestampSeconds, body)}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standard.join(' '),
  };
}
