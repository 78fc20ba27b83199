import type { ErrorCode } from '../errors.ts';
import type { Operation } from './operation.ts';

/** Every error code of an operation: those that follow from its declaration, and those that it declares. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    'VALIDATION_ERROR',
    'RATE_LIMITED',
    'URI_TOO_LONG',
    'REQUEST_HEADER_FIELDS_TOO_LARGE',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
    'DATABASE_NOT_CONFIGURED',
  ]);
  if (operation.caller !== 'everyone') codes.add('UNAUTHORIZED');
  if (operation.caller === 'session') codes.add('FORBIDDEN');
  if (operation.scope || operation.caller === 'key_or_session') codes.add('PLAN_GATE').add('FORBIDDEN');
  if (operation.caller === 'everyone' && operation.method !== 'GET') codes.add('FORBIDDEN');
  if (operation.scope) codes.add('INSUFFICIENT_SCOPE').add('WORKSPACE_MISMATCH');
  if (operation.feature) codes.add('PLAN_GATE');
  if (operation.path.includes('{') || !['none', 'optional'].includes(operation.workspace))
    codes.add('NOT_FOUND');
  if (operation.method !== 'GET') {
    codes.add('REQUEST_TIMEOUT').add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
  }
  if (acceptsIdempotencyKey(operation)) codes.add('CONFLICT').add('IDEMPOTENCY_MISMATCH');
  if (takesIfMatch(operation)) codes.add('PRECONDITION_FAILED');
  for (const code of operation.errors ?? []) codes.add(code);
  return [...codes];
}

/** Whether an operation accepts an Idempotency-Key: every POST that changes something, except below /auth. */
export function acceptsIdempotencyKey({ method, caller, path, audit, batch }: Operation): boolean {
  const changes = audit !== undefined || batch === true;
  return method === 'POST' && caller !== 'service' && changes && !path.startsWith('/auth/');
}

/** Whether an operation accepts If-Match: it changes a versioned record. */
export function takesIfMatch(operation: Operation): boolean {
  return operation.versioned === true && ['PUT', 'PATCH', 'DELETE'].includes(operation.method);
}
