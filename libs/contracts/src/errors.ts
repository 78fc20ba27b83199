/**
 * Every error code: its HTTP status, its default message, and what its page says of why it comes and what to do. No other
 * file states a failure's status.
 */
export const errors = {
  VALIDATION_ERROR: {
    status: 400,
    message: 'The request is not valid; see issues for what to change.',
    why: 'A parameter or a field of the body is missing, unknown, of the wrong type or out of range. Unknown names are refused too, so that a typo is never taken for "no filter".',
    fix: 'Each item of issues names a field or parameter by its path and says what is wrong with it. Correct those and send the request again.',
  },
  UNAUTHORIZED: {
    status: 401,
    message: 'Send a valid API key as "Authorization: Bearer <key>" or "X-Api-Key", or sign in.',
    why: 'No credentials came with the request, or they are mistyped, revoked or expired, or the session is over. A key in the URL is never read.',
    fix: 'Send a current key in one of the two headers, or sign in again. A key that has been revoked cannot be brought back: create another one.',
  },
  PLAN_GATE: {
    status: 402,
    message: 'This feature needs a higher plan.',
    why: 'The workspace’s plan does not include the feature: API keys and the audit log begin with the Business plan.',
    fix: 'Have an owner of the workspace change its plan, or the operator where the installation leaves plans to them. Keys work again at once.',
  },
  FORBIDDEN: {
    status: 403,
    message: 'You may not do this in this workspace.',
    why: 'You are not a member of the workspace, your role there is too low, a key was used for what only people may do, the request came from a foreign web page, or your address is not on the key’s list.',
    fix: 'The message says which it is. Ask an owner or admin of the workspace for the role, or use the credentials that are meant for this.',
  },
  WORKSPACE_MISMATCH: {
    status: 403,
    message: 'This API key belongs to another workspace.',
    why: 'Each key belongs to one workspace. The request names another one, or a record of another one.',
    fix: 'Check workspaceId and the ids in the path, or use a key of that workspace. GET /v1/whoami tells which workspace a key belongs to.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    message: 'This API key lacks the scope that the operation needs.',
    why: 'Keys have the scope read, write or both, and write includes read. This operation needs the one in requiredScope.',
    fix: 'Create a key with that scope, or use one that has it. The scopes of a key cannot be changed.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'There is no such resource.',
    why: 'The path is none of the API’s, or nothing with this id exists: it may have been deleted, or the id was cut short when it was copied.',
    fix: 'Compare the path with the API reference, and the id with what the list of the workspace gives.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not take this method; see the Allow header.',
    why: 'The path is right and the method is not: for instance PUT where changes are made by PATCH.',
    fix: 'Use one of the methods in the Allow header of the answer.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request did not arrive in time; send it again, and faster.',
    why: 'The connection stalled while the headers or the body were being sent.',
    fix: 'Send the request again. When it happens often, look at proxies between you and the service, and send large bodies without pauses.',
  },
  CONFLICT: {
    status: 409,
    message: 'The request conflicts with the current state of the resource.',
    why: 'Something that the request builds on is not so: a name is taken, the change would close a circle, the last owner would go, or a request with the same Idempotency-Key is still under way.',
    fix: 'The message says what it conflicts with. Read the resource again and decide anew; with Retry-After, wait that long and send the same request again.',
  },
  LIMIT_EXCEEDED: {
    status: 409,
    message: 'The resource has reached its maximum size.',
    why: 'The workspace, the workflow or the record holds as many items as it may. The message gives the number.',
    fix: 'Remove what is no longer needed, or split it up. Some of these limits are set by the operator.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    message: 'The resource has changed since the version named in If-Match; read it again.',
    why: 'Somebody else has changed the resource after you read it. Nothing was overwritten.',
    fix: 'Read the resource again, put your change on top of it, and send it with the new ETag in If-Match.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The request body is larger than this operation takes.',
    why: 'Bodies may have 1 MiB, whole graphs 16 MiB and imports 1 GiB; a decision may have 200 KiB in all.',
    fix: 'Send less at once: several requests, or the operation that is made for many records.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Send the body as application/json.',
    why: 'The Content-Type header is missing, or names a type or an encoding that the operation does not take.',
    fix: 'Send Content-Type: application/json, without Content-Encoding. Imports say in the API reference which types they take.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    message: 'This Idempotency-Key was used with a different request; use a new key.',
    why: 'A key stands for one request for 24 hours. The same key has come with another path, query or body.',
    fix: 'Make a new key for each new request, and repeat a key only with exactly the request that it was first sent with.',
  },
  PRECONDITION_REQUIRED: {
    status: 428,
    message: 'This would change or take away what is there; name the version that you know in If-Match.',
    why: 'The request replaces the whole of a resource and does not say which version of it you know. What somebody else has added since would be lost unseen.',
    fix: 'Read the resource, put your change on top of it, and send it with the ETag in If-Match. "If-Match: *" replaces whatever is there.',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests; wait for the seconds given in Retry-After.',
    why: 'The caller’s limit, or that of all keys of the workspace together, is used up for this minute. Reads, exports and changes have limits of their own. Failed sign-ins, open event streams and requests under way at once are limited too.',
    fix: 'Wait for as long as Retry-After says. RateLimit and X-RateLimit-Remaining on every answer tell how much is left, so that a program can slow down before.',
  },
  REQUEST_HEADER_FIELDS_TOO_LARGE: {
    status: 431,
    message: 'The request headers are too large.',
    why: 'All headers together may have 16 KiB. Usually it is cookies that have piled up, or a token in a header that is not needed here.',
    fix: 'Send fewer or shorter headers; in a browser, delete the cookies of this site.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side; quote the request id.',
    why: 'A fault in the service. It is logged under the request id; the answer tells nothing more, because internals are nobody’s business.',
    fix: 'Try again; with an Idempotency-Key a change is never made twice. If it stays, give the request id to whoever runs the installation.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'This part of the service is not available now; try again after Retry-After seconds.',
    why: 'A part of the service, or a store that it needs, does not answer at the moment. The others go on working.',
    fix: 'Wait for as long as Retry-After says and send the request again, a change with the same Idempotency-Key.',
  },
  DATABASE_NOT_CONFIGURED: {
    status: 503,
    message: 'This installation has no database configured; set the service’s MONGODB_URL.',
    why: 'The service was started without the address of its database. It runs, and can serve nothing.',
    fix: 'This is for the operator: set MONGODB_URL for the service and start it again.',
  },
} as const satisfies Record<string, { status: number; message: string; why: string; fix: string }>;

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

/** Where each code is explained, relative to the public base; the gateway serves the page. */
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
