import { createHmac, timingSafeEqual } from 'node:crypto';

/** Node's request.headers, a Headers object, or any record; names in any case. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** How far a timestamp may be from now, in seconds, either way. Default 300. */
  toleranceSeconds?: number;
  /** The prefix of the headers Event, Delivery, Timestamp and Signature. Default `X-Service-`. */
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

const TOLERANCE_SECONDS = 300;
const HEADER_PREFIX = 'X-Service-';
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES_MIN = 24;

/** Does not use instanceof, because frameworks have their own Headers classes. */
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function';
}

function headerReader(headers: WebhookHeaders): (name: string) => string | null {
  if (isHeaders(headers)) return (name) => headers.get(name);
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

/** Rejects an empty or malformed secret: anyone could sign with it. */
function checkSecrets(secrets: readonly string[]): readonly string[] {
  const isOurs = (secret: string) =>
    secret.startsWith(SECRET_PREFIX) &&
    Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64').length >= SECRET_BYTES_MIN;
  if (secrets.length > 0 && secrets.every(isOurs)) return secrets;
  throw new TypeError('verifyWebhook needs the signing secret of the endpoint, whsec_…');
}

/** Throws when the timestamp is not in Unix seconds, or too far from now. */
function checkTimestamp(text: string, nowMs: number, toleranceSeconds: number): void {
  if (!/^\d{1,15}$/.test(text)) {
    throw new WebhookVerificationError('invalid_timestamp', 'The timestamp is not in Unix seconds.');
  }
  if (Math.abs(Math.floor(nowMs / 1000) - Number(text)) > toleranceSeconds) {
    throw new WebhookVerificationError(
      'stale_timestamp',
      `The timestamp is over ${toleranceSeconds} s away from now.`,
    );
  }
}

/**
 * Verifies a webhook delivery and returns it parsed. `rawBody` is the body exactly as it arrived, never a
 * re-serialised copy; `secret` is the endpoint's `whsec_…`, or several while you move from one to another.
 *
 * With the headers of Standard Webhooks, `webhook-signature` must be valid: HMAC-SHA256 over
 * `<id>.<timestamp>.<body>` with the decoded secret, base64. It covers the id, and during a rotation has a
 * signature of each secret. Otherwise `X-Service-Signature` must be valid: over `<timestamp>.<body>` with the
 * whole secret, hex. Compares in constant time. Throws WebhookVerificationError, whose `fault` says why, and
 * TypeError without a usable secret.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): VerifiedWebhook {
  const { toleranceSeconds = TOLERANCE_SECONDS, headerPrefix = HEADER_PREFIX, now = Date.now } = options;
  const header = headerReader(headers);
  const body = typeof rawBody === 'string' ? Buffer.from(rawBody) : Buffer.from(rawBody);
  const secrets = checkSecrets(typeof secret === 'string' ? [secret] : secret);
  const standard = standardSignature(header, body, secrets);
  const service = serviceSignature(header, headerPrefix, body, secrets);
  const decisive = standard ?? service;
  if (!decisive) {
    throw new WebhookVerificationError(
      'missing_headers',
      `Neither ${headerPrefix}Signature nor webhook-signature came.`,
    );
  }
  for (const candidate of [service, standard]) {
    if (candidate) checkTimestamp(candidate.timestamp, now(), toleranceSeconds);
  }
  if (!decisive.holds) {
    throw new WebhookVerificationError(
      'wrong_signature',
      'The signature was not made with this secret over this body.',
    );
  }
  const payload = parsePayload(body);
  return { id: payload.id, deliveryId: standard && header('webhook-id'), event: payload.type, payload };
}

interface Candidate {
  timestamp: string;
  holds: boolean;
}

type ReadHeader = (name: string) => string | null;

function serviceSignature(
  header: ReadHeader,
  prefix: string,
  body: Buffer,
  secrets: readonly string[],
): Candidate | null {
  const [timestamp, given] = [header(`${prefix}Timestamp`), header(`${prefix}Signature`)];
  if (timestamp === null || given === null) return null;
  const holds = secrets
    .map((secret) => createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex'))
    .map((hex) => isEqual(given, `sha256=${hex}`))
    .includes(true);
  return { timestamp, holds };
}

function standardSignature(header: ReadHeader, body: Buffer, secrets: readonly string[]): Candidate | null {
  const [id, timestamp, list] = [
    header('webhook-id'),
    header('webhook-timestamp'),
    header('webhook-signature'),
  ];
  if (id === null || timestamp === null || list === null) return null;
  const given = list.split(' ');
  const holds = secrets
    .map((secret) => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
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
  throw new WebhookVerificationError(
    'invalid_body',
    'The signature is valid, but the body is not a JSON object.',
  );
}
