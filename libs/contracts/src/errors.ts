/** Every error code with its HTTP status and default message. No other file states a failure's status. */
export const errors = {
  VALIDATION_ERROR: { status: 400, message: 'The request is not valid; see issues for what to change.' },
  UNAUTHORIZED: {
    status: 401,
    message: 'Send a valid API key as "Authorization: Bearer <key>" or "X-Api-Key", or sign in.',
  },
  PLAN_GATE: { status: 402, message: 'This feature needs a higher plan.' },
  FORBIDDEN: { status: 403, message: 'You may not do this in this workspace.' },
  WORKSPACE_MISMATCH: { status: 403, message: 'This API key belongs to another workspace.' },
  INSUFFICIENT_SCOPE: { status: 403, message: 'This API key lacks the scope that the operation needs.' },
  NOT_FOUND: { status: 404, message: 'There is no such resource.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not take this method; see the Allow header.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time; send it again, and faster.' },
  CONFLICT: { status: 409, message: 'The request conflicts with the current state of the resource.' },
  LIMIT_EXCEEDED: { status: 409, message: 'The resource has reached its maximum size.' },
  PRECONDITION_FAILED: {
    status: 412,
    message: 'The resource has changed since the version named in If-Match; read it again.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is larger than this operation takes.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send the body as application/json.' },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    message: 'This Idempotency-Key was used with a different request; use a new key.',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests; wait for the seconds given in Retry-After.' },
  REQUEST_HEADER_FIELDS_TOO_LARGE: { status: 431, message: 'The request headers are too large.' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side; quote the request id.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'This part of the service is not available now; try again after Retry-After seconds.',
  },
  DATABASE_NOT_CONFIGURED: {
    status: 503,
    message: 'This installation has no database configured; set the service’s MONGODB_URL.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

/** One thing to change in a request: `path` names the field (`tags.0`) or parameter. */
export interface Issue {
  path: string;
  message: string;
}

export interface ApiErrorDetails {
  message?: string;
  issues?: Issue[];
  requiredScope?: 'read' | 'write';
  /** Seconds after which a retry may succeed; becomes the Retry-After header. */
  retryAfterSeconds?: number;
  /** Methods for the Allow header of METHOD_NOT_ALLOWED. */
  allow?: string[];
  cause?: unknown;
}

/** The one failure that domain code throws; its HTTP status stands in the table above. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ApiErrorDetails;

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    super(details.message ?? errors[code].message, { cause: details.cause });
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errors[this.code].status;
  }
}

/** A VALIDATION_ERROR about a single field or parameter. */
export function invalid(path: string, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { message: `${path}: ${message}`, issues: [{ path, message }] });
}

/** Seconds that a caller waits after a 503 when nothing better is known. */
export const UNAVAILABLE_RETRY_SECONDS = 2;

/** Where each code is explained, relative to the public base. */
export function errorDocsPath(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}

/** The wire form of an error: the specification's body plus issues, request id and docs. */
export function errorBody(error: ApiError, requestId: string): Record<string, unknown> {
  const { requiredScope, issues } = error.details;
  return {
    error: error.code,
    message: error.message,
    ...(requiredScope && { requiredScope }),
    ...(issues && { issues }),
    requestId,
    docs: errorDocsPath(error.code),
  };
}

/** The response headers that an error brings along. */
export function errorHeaders(error: ApiError): Record<string, string> {
  const retryAfter =
    error.details.retryAfterSeconds ?? (error.status === 503 ? UNAVAILABLE_RETRY_SECONDS : undefined);
  return {
    ...(retryAfter !== undefined && { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) }),
    ...(error.details.allow && { Allow: error.details.allow.join(', ') }),
  };
}
