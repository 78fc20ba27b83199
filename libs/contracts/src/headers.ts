import { limits } from './limits.ts';
import type { ServiceName } from './services.ts';

/** Header names of the public interface. */
export const headers = {
  requestId: 'X-Request-Id',
  apiVersion: 'X-API-Version',
  rateLimitLimit: 'X-RateLimit-Limit',
  rateLimitRemaining: 'X-RateLimit-Remaining',
  rateLimitReset: 'X-RateLimit-Reset',
  /** IETF draft-ietf-httpapi-ratelimit-headers. */
  rateLimit: 'RateLimit',
  rateLimitPolicy: 'RateLimit-Policy',
  retryAfter: 'Retry-After',
  wwwAuthenticate: 'WWW-Authenticate',
  apiKey: 'X-Api-Key',
  idempotencyKey: 'Idempotency-Key',
  idempotencyReplayed: 'Idempotency-Replayed',
  batchSize: 'Batch-Size',
} as const;

/** Headers between gateway and services; a client's own copies are stripped in any spelling. */
export const internalHeaders = {
  identity: 'x-waymark-identity',
  requestId: 'x-waymark-request-id',
  clientAddress: 'x-waymark-client-address',
  userAgent: 'x-waymark-user-agent',
  /** How long the gateway waits for the answer once the service has the request. */
  timeoutMs: 'x-waymark-timeout-ms',
  /** Cookies of sign-in, on the operations that declare it: a single sign-on in progress, a known browser. */
  signInFlow: 'x-waymark-sign-in-flow',
  device: 'x-waymark-device',
  /** The session that the browser had before a sign-in. */
  session: 'x-waymark-session',
  /** On answers of a replica that shuts down: new requests must go to another one. */
  draining: 'x-waymark-draining',
  /** On answers with 401 to a caller whose identity is not valid: the keys of two processes differ. */
  identityRefused: 'x-waymark-identity-refused',
} as const;
export const INTERNAL_HEADER_PREFIX = 'x-waymark-';

export const API_VERSION = 'v1';
export const BASE_PATH = `/${API_VERSION}`;

/** The identity of the caller for another service, which the called one passes on. */
export const delegatedIdentityHeader = (service: ServiceName) => `${internalHeaders.identity}-${service}`;

/** A well-formed client-sent X-Request-Id: 8 to 128 visible token characters. */
export const REQUEST_ID_PATTERN = /^[A-Za-z0-9_.:-]{8,128}$/;

/** A well-formed Idempotency-Key: visible ASCII characters. */
export const IDEMPOTENCY_KEY_PATTERN = new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyCharacters}}$`);

/**
 * A well-formed If-Match or If-None-Match: `*`, or ETags in quotes. A quote is \x22 here, because some
 * generators of clients write patterns between quotes as they are.
 */
export const CONDITION_PATTERN = /^(?:\*|(?:[\t ,]*(?:W\/)?\x22[^\x22]*\x22)+[\t ,]*)$/;
export const NOT_A_CONDITION = 'must be an ETag with its quotes, like "v3", or *';

/** Returns the ETag of a version of a record. */
export const etagOf = (version: number): string => `"v${version}"`;

/**
 * Returns the ETag of a compressed body, "v3-gzip" (RFC 9110, 8.8.3.3). A weak tag stays as it is, because it
 * stands for the body in every coding.
 */
export const codedTag = (etag: string, coding: string): string =>
  etag.replace(/^("[^"]*)"$/, `$1-${coding}"`);

/** Removes the codings from ETags: "v3-gzip" becomes "v3". */
export const withoutCoding = (etags: string): string => etags.replaceAll(/-(?:gzip|br|deflate)"/g, '"');

const BATCH_SIZE = /^[1-9]\d{0,2}$/;

/** Returns the number in a Batch-Size header; null for one that is absent, malformed or too large. */
export function parseBatchSize(value: string | undefined): number | null {
  if (value === undefined || !BATCH_SIZE.test(value)) return null;
  return Number(value) <= limits.batchOperations ? Number(value) : null;
}
