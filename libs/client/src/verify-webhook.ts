import { createHmac, timingSafeEqual } from 'node:crypto';

/** Node's request.headers, a Headers object, or any record; names in any case. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** How far a timestamp may be from now, in seconds, either way. Default 300. */
  toleranceSeconds?: number;
  /** The prefix of the headers Event, Delivery, Timestamp and Signature. Default `X-Waymark-`. */
  headerPrefix?: string;
  /** The current time in milliseconds. Default Date.now. */
  now?: () => number;
}

/** A delivery with a valid signature. */
export interface VerifiedWebhook {
  /** Signed, and the same for every attempt and replay to an endpoint: use it to drop duplicates. */
  id: string;
  /** The id to look the delivery up by; null when no signature of the request covers the id. */
  deliveryId: string | null;
  /** For example `decision.created`. */
  event: string;
  /** The parsed body: `{id, type, created_at, workspace_id, data}`. */
  payload: { id: string; type: string; created_at: string; workspace_id: string; data: unknown };
}

/** Why a request is not a valid delivery. */
export type WebhookFault =
  | 'missing_headers'
  | 'invalid_timestamp'
  | 'stale_timestamp'
  | 'wrong_signature'
  | 'invalid_body';

export class WebhookVerificationError extends Error {
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.fault = fault;
  }
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES_MIN = 24;

type ReadHeader = (name: string) => string | null;

function headerReader(headers: WebhookHeaders): ReadHeader {
  // Not instanceof, because frameworks have their own Headers classes.
  if (typeof headers.get === 'function') return (name) => (headers as Headers).get(name);
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = byName.get(name.toLowerCase());
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ');
  };
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const keyOf = (secret: string) => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');

/** Rejects an empty or malformed secret: anyone could sign with it. */
function checkSecrets(secrets: readonly string[]): void {
  const isOurs = (secret: string) =>
    secret.startsWith(SECRET_PREFIX) && keyOf(secret).length >= SECRET_BYTES_MIN;
  if (secrets.length > 0 && secrets.every(isOurs)) return;
  throw new TypeError('verifyWebhook needs the signing secret of the endpoint, whsec_…');
}

function checkTimestamp(text: string, nowMs: number, toleranceSeconds: number): void {
  if (!/^\d{1,15}$/.test(text)) {
    throw new WebhookVerificationError('invalid_timestamp', 'The timestamp is not in Unix seconds.');
  }
  if (Math.abs(Math.floor(nowMs / 1000) - Number(text)) <= toleranceSeconds) return;
  const message = `The timestamp is over ${toleranceSeconds} s away from now.`;
  throw new WebhookVerificationError('stale_timestamp', message);
}

/**
 * Verifies a webhook delivery and returns it parsed. `rawBody` is the body exactly as it arrived; `secret` is
 * the endpoint's `whsec_…`, or several while you move from one to another. Throws WebhookVerificationError,
 * whose `fault` says why, and TypeError without a usable secret.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, headerPrefix = 'X-Waymark-', now = Date.now }: VerifyOptions = {},
): VerifiedWebhook {
  const header = headerReader(headers);
  const body = typeof rawBody === 'string' ? Buffer.from(rawBody) : Buffer.from(rawBody);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  checkSecrets(secrets);
  const standard = standardSignature(header, body, secrets);
  const service = serviceSignature(header, headerPrefix, body, secrets);
  // The standard signature decides when it came, because it also covers the id.
  const decisive = standard ?? service;
  if (!decisive) {
    const message = `Neither ${headerPrefix}Signature nor webhook-signature came.`;
    throw new WebhookVerificationError('missing_headers', message);
  }
  for (const candidate of [service, standard]) {
    if (candidate) checkTimestamp(candidate.timestamp, now(), toleranceSeconds);
  }
  if (!decisive.holds) {
    const message = 'The signature was not made with this secret over this body.';
    throw new WebhookVerificationError('wrong_signature', message);
  }
  const payload = parsePayload(body);
  return { id: payload.id, deliveryId: standard && header('webhook-id'), event: payload.type, payload };
}

/** HMAC-SHA256 over `<timestamp>.<body>` with the whole secret, hex. */
function serviceSignature(header: ReadHeader, prefix: string, body: Buffer, secrets: readonly string[]) {
  const [timestamp, given] = [header(`${prefix}Timestamp`), header(`${prefix}Signature`)];
  if (timestamp === null || given === null) return null;
  // Compares with every secret, so that the time does not depend on which one matches.
  const holds = secrets
    .map((secret) => createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex'))
    .map((hex) => isEqual(given, `sha256=${hex}`))
    .includes(true);
  return { timestamp, holds };
}

/** Standard Webhooks: HMAC-SHA256 over `<id>.<timestamp>.<body>` with the decoded secret, base64. */
function standardSignature(header: ReadHeader, body: Buffer, secrets: readonly string[]) {
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  const given = header('webhook-signature')?.split(' ');
  if (id === null || timestamp === null || !given) return null;
  const holds = secrets
    .map(keyOf)
    .map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64'))
    .map((mac) => given.map((one) => isEqual(one, `v1,${mac}`)).includes(true))
    .includes(true);
  return { timestamp, holds };
}

function parsePayload(body: Buffer): VerifiedWebhook['payload'] {
  try {
    const payload = JSON.parse(body.toString()) as VerifiedWebhook['payload'] | null;
    if (typeof payload === 'object' && payload !== null) return payload;
  } catch {
    // The error is thrown below.
  }
  const message = 'The signature is valid, but the body is not a JSON object.';
  throw new WebhookVerificationError('invalid_body', message);
}
