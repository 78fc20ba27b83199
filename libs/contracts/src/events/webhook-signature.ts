import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Returns a new signing secret: `whsec_` and 32 random bytes in base64, as Standard Webhooks writes them. */
export function makeWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The specification's signature, keyed with the whole secret. */
function hexSignature(secret: string, timestamp: string, body: Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** The signature of Standard Webhooks 1.0, keyed with the decoded part of the secret. */
function standardSignature(secret: string, id: string, timestamp: string, body: Buffer): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/**
 * Returns the headers of one attempt. During a rotation `secrets` has the old one first: it signs the header
 * of the specification, which holds one signature, and both sign `webhook-signature`.
 */
export function signedWebhookHeaders(
  { id, event_type }: { id: string; event_type: string },
  body: Buffer,
  { prefix, atMs, secrets }: { prefix: string; atMs: number; secrets: string[] },
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const standard = secrets.map((secret) => standardSignature(secret, id, timestamp, body)).reverse();
  return {
    'content-type': 'application/json',
    [`${prefix}Event`]: event_type,
    [`${prefix}Delivery`]: id,
    [`${prefix}Timestamp`]: timestamp,
    [`${prefix}Signature`]: `sha256=${hexSignature(secrets[0]!, timestamp, body)}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}
