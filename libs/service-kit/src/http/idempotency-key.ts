import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  type Actor,
  acceptsIdempotencyKey,
  headers,
  invalid,
  limits,
  type Operation,
} from '@waymark/contracts';
import type { RequestContext } from './request-context.ts';
import { header } from './request-parts.ts';

/**
 * Returns the hashed Idempotency-Key and the fingerprint of a request; null without a key. Throws
 * VALIDATION_ERROR for a malformed key.
 */
export function idempotencyOf(
  operation: Operation,
  request: IncomingMessage & { originalUrl: string },
  raw: Buffer,
  actor: Actor,
): RequestContext['idempotency'] {
  const key = header(request, headers.idempotencyKey.toLowerCase());
  if (key === undefined || !acceptsIdempotencyKey(operation)) return null;
  if (key.length === 0 || key.length > limits.idempotencyKeyCharacters || !/^[\x21-\x7e]+$/.test(key)) {
    throw invalid(
      headers.idempotencyKey,
      `must be 1 to ${limits.idempotencyKeyCharacters} visible ASCII characters`,
    );
  }
  const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
  return {
    id: sha256(`${actor.type}\0${actor.id}\0${key}`),
    fingerprint: sha256(`${operation.id}\0${request.originalUrl}\0${sha256(raw)}`),
  };
}
