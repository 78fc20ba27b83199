import { KIBIBYTE, limits, MEBIBYTE, type Plan } from './limits.ts';
import type { ErrorBody } from './resources/gateway.ts';

const kib = (bytes: number) => `${bytes / KIBIBYTE} KiB`;
const mib = (bytes: number) => `${bytes / MEBIBYTE} MiB`;

/** Every error code; its page shows `why` and `fix`. No other file states the status of a failure. */
export const errors = {
  VALIDATION_ERROR: {
    status: 400,
    message: 'The request is not valid. Correct the fields that issues lists.',
    why: 'A parameter or a field of the body is missing, unknown, of the wrong type or out of range. Unknown names are rejected, so that a typo cannot silently drop a filter.',
    fix: 'Each item of issues names a field or parameter by its path and says what is wrong. Correct them and send the request again.',
  },
  UNAUTHORIZED: {
    status: 401,
    message:
      'The request has no valid credentials. Send an API key as "Authorization: Bearer <key>" or "X-Api-Key", or sign in.',
    why: 'The credentials are missing, mistyped, revoked or expired, or the session has ended. A key in the URL is never read.',
    fix: 'Send a valid key in one of the two headers, or sign in again. A revoked key cannot be restored: create a new one.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 401,
    message:
      'This account has a second factor. Send a code of the authenticator app, or a recovery code, in code.',
    why: 'The password is right, and the account has an authenticator app. The code is missing, mistyped, too old, or was used before: each works once.',
    fix: 'Send the sign-in again with the code that the app shows now, or with a recovery code. If codes are always refused, the clock of the device is wrong. An operator can remove a lost factor.',
  },
  PLAN_GATE: {
    status: 402,
    message: 'The plan of this workspace does not include this feature. Choose a higher plan.',
    why: 'API keys and the audit log require the Business plan or a higher one.',
    fix: 'Ask an owner of the workspace to change its plan, or the operator where only operators change plans. Existing keys then work again immediately.',
  },
  FORBIDDEN: {
    status: 403,
    message: 'You do not have permission to do this in this workspace. Ask an owner or admin for access.',
    why: 'You are not a member of the workspace, your role is too low, the workspace requires a second factor, the request used an API key that may not do this, the request came from another website, or your address is not on the key’s list.',
    fix: 'The reason and the message say which of these it is. Ask an owner or admin of the workspace for the role, or use other credentials.',
    reasons: {
      not_a_member: 'You are not a member of the workspace.',
      role: 'Your role in the workspace is too low.',
      second_factor:
        'The workspace requires a second factor: sign in with a passkey or a code, or add one in your account settings.',
      key_on_settings:
        'Only a signed-in person may do this or, if it is a setting of the workspace, an API key of a service account, or one that you have let change settings for an hour.',
      key_restrictions:
        'An API key makes nothing that is stronger than itself, lasts longer, or may be used from other addresses. One that expires or has a list of addresses only removes settings, makes such keys and sends webhooks.',
      ip_not_allowed: 'The address list of the API key does not include yours.',
      origin: 'The request came from a website that the operator does not allow.',
      author: 'Only the author of the message may do this.',
      other_email: 'The invitation is for another e-mail address.',
      mcp_read_only: 'The MCP server was started without tools that change something.',
      operator: 'Only the operator of this installation may do this.',
    },
  },
  WORKSPACE_MISMATCH: {
    status: 403,
    message: 'This API key belongs to another workspace. Use a key of the workspace in the request.',
    why: 'Each key belongs to one workspace. The request names another workspace, or a record of another workspace.',
    fix: 'Check workspaceId and the ids in the path, or use a key of that workspace. GET /v1/whoami shows the workspace of a key.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    message: 'This API key lacks the scope in requiredScope. Use a key with that scope.',
    why: 'A key has the scope read, write or both, and write includes read. This operation needs the scope in requiredScope.',
    fix: 'Create a key with that scope, or use one that has it. The scopes of a key cannot be changed.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'The resource was not found. Check the path and the id.',
    why: 'The API has no such path, or no record has this id: it may have been deleted, or the id is incomplete.',
    fix: 'Compare the path with the API reference, and the id with the list of the workspace’s records.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not support this method. Use one of the methods in the Allow header.',
    why: 'The path exists and the method does not: for example PUT where PATCH makes changes.',
    fix: 'Use one of the methods in the Allow header of the answer.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request did not arrive in time. Send it again.',
    why: 'The connection stalled while the headers or the body were being sent.',
    fix: 'Send the request again. If it happens often, check the proxies between you and the service, and send large bodies without pauses.',
  },
  CONFLICT: {
    status: 409,
    message:
      'The request conflicts with the current state of the resource. Read the resource again and adapt the request.',
    why: 'For example: a name is taken, the change would create a cycle, the last owner would leave, or a request with the same Idempotency-Key is still running.',
    fix: 'The message names the conflict. Read the resource again and adapt the request. If the answer has Retry-After, wait that long and send the same request again.',
  },
  LIMIT_EXCEEDED: {
    status: 409,
    message: 'The resource has reached its maximum size. Remove items that are no longer needed.',
    why: 'The workspace, the workflow or the record has as many items as it can have. The message gives the number.',
    fix: 'Remove items that are no longer needed, or split the resource. The operator can change some of these limits.',
  },
  POSITION_GONE: {
    status: 410,
    message: 'Nothing continues at this position. Read the records again, then go on at the newest position.',
    why: `What follows this position was removed, or the log never came this far. The event log keeps events for ${limits.eventLogDays} days, and begins at a higher number after the operator has restored a backup. Deletions are kept for ${limits.deletionDays} days.`,
    fix: 'GET /v1/event-log?limit=1 without after shows the newest number. Read all records again, then continue after that number. For deletions, continue with the time at which you began to read.',
    reasons: {
      expired: 'What follows this position is no longer kept.',
      ahead: 'The newest event has a lower number than this position.',
    },
  },
  APPROVAL_REQUIRED: {
    status: 409,
    message: 'This decision lacks approvals that the workspace requires. Ask for them.',
    why: 'A rule of the workspace allows the status accepted only with approvals of the present text by members. A change of the text voids earlier ones, those of an import do not count, and neither does that of who wrote the last change, unless the rule says so.',
    fix: 'issues names who is missing. Ask with POST /v1/decisions/{id}/approval-requests, and set the status when they have approved. To change the text of an accepted decision, set its status to proposed in the same request.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    message: 'The resource has changed since the version in If-Match. Read it again.',
    why: 'Somebody else changed the resource after you read it. Nothing was overwritten. Or the request has If-None-Match, and the resource exists.',
    fix: 'Read the resource again, apply your change to it, and send it with the new ETag in If-Match. With If-None-Match: *, read the existing resource, or leave the header out to change it.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The request body is too large for this operation. Send less at once.',
    why: `A body can have ${mib(limits.bodyBytes)}, without credentials ${kib(limits.unauthenticatedBodyBytes)}, a whole graph ${mib(limits.graphBodyBytes)} and an import ${mib(limits.importBodyBytes)}; a decision can have ${kib(limits.decisionBytes)} in total.`,
    fix: 'Split the data over several requests, or use the operation for many records.',
  },
  URI_TOO_LONG: {
    status: 414,
    message: 'The URL is too long. Send fewer or shorter parameters.',
    why: `The URL and all headers together can have ${kib(limits.headerBytes)}. The usual cause is a long list of ids in the query.`,
    fix: 'Split the list over several requests, or use a filter that selects the same records.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'The Content-Type is not supported. Send the body as application/json.',
    why: 'The Content-Type header is missing, or names a type or an encoding that the operation does not support.',
    fix: 'Send Content-Type: application/json without Content-Encoding. The API reference lists the types of imports.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    message: 'This Idempotency-Key was used with a different request. Use a new key.',
    why: `A key stands for one request for ${limits.idempotencySeconds / 3_600} hours. The same key came with another path, query or body.`,
    fix: 'Create a new key for each new request. Repeat a key only with exactly the same request.',
  },
  PRECONDITION_REQUIRED: {
    status: 428,
    message:
      'This request would change or delete existing data. Send the version that you have read in If-Match.',
    why: 'The request replaces a whole resource without naming the version that you have read. It could silently remove what somebody else added since then.',
    fix: 'Read the resource, apply your change to it, and send it with its ETag in If-Match. "If-Match: *" replaces any version.',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests. Wait for the number of seconds in Retry-After.',
    why: 'The caller has used up its limit for this minute, or all keys of the workspace together have used up theirs. Reads, exports and changes have separate limits. Failed sign-ins, open event streams and concurrent requests are limited, too.',
    fix: 'Wait as long as Retry-After says. RateLimit and X-RateLimit-Remaining on every answer show how much is left, so that a program can slow down in time.',
    reasons: {
      rate_limit: 'The requests of this window, or the failed sign-ins, have reached their limit.',
      concurrency:
        'The caller has its share of a bounded resource, such as requests in flight, uploads or live event streams; wait until some of its own have ended.',
    },
  },
  REQUEST_HEADER_FIELDS_TOO_LARGE: {
    status: 431,
    message: 'The request headers are too large. Send fewer or shorter headers.',
    why: `All headers together can have ${kib(limits.headerBytes)}. The usual cause is many cookies, or a token in a header that this request does not need.`,
    fix: 'Send fewer or shorter headers. In a browser, delete the cookies of this site.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Try again, and report the request id if it persists.',
    why: 'The service has a defect. It is logged under the request id; the answer contains no internal details.',
    fix: 'Try again; with an Idempotency-Key a change is never made twice. If it persists, send the request id to the operator of this installation.',
  },
  NOT_IMPLEMENTED: {
    status: 501,
    message: 'This server does not know this method. Use GET, POST, PUT, PATCH or DELETE.',
    why: 'The method of the request is not one of HTTP’s own, or is mistyped: methods are in capital letters.',
    fix: 'Use the method that the API reference gives for the path.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message:
      'This part of the service is temporarily unavailable. Try again after the number of seconds in Retry-After.',
    why: 'A part of the service, or a store that it needs, does not respond at the moment. Other parts continue to work.',
    fix: 'Wait as long as Retry-After says and send the request again; send a change with the same Idempotency-Key.',
  },
  DATABASE_NOT_CONFIGURED: {
    status: 503,
    message: 'This installation has no database configured. Set MONGODB_URL for the service.',
    why: 'The service was started without the address of its database. It runs, but cannot serve requests.',
    fix: 'This is a task for the operator: set MONGODB_URL for the service and restart it.',
  },
} as const satisfies Record<
  string,
  { status: number; message: string; why: string; fix: string; reasons?: Record<string, string> }
>;

export type ErrorCode = keyof typeof errors;
type ReasonedCode = {
  [C in ErrorCode]: (typeof errors)[C] extends { reasons: object } ? C : never;
}[ErrorCode];
type ReasonOf<C extends ReasonedCode> = C extends ReasonedCode ? keyof (typeof errors)[C]['reasons'] : never;
export type ErrorReason = ReasonOf<ReasonedCode>;

/** The reasons of a code and what they mean; none for most codes. */
export function reasonsOf(code: ErrorCode): [ErrorReason, string][] {
  const { reasons = {} } = errors[code] as { reasons?: Record<string, string> };
  return Object.entries(reasons) as [ErrorReason, string][];
}

/** One thing to correct in a request: `path` names the field (`tags.0`) or parameter. */
export interface Issue {
  path: string;
  message: string;
}

export interface ApiErrorDetails {
  message?: string;
  /** Which of the reasons of the code it is; FORBIDDEN, RATE_LIMITED and POSITION_GONE have one. */
  reason?: ErrorReason;
  issues?: Issue[];
  requiredScope?: 'read' | 'write';
  /** The least plan that includes what PLAN_GATE refused. */
  requiredPlan?: Plan;
  /** Whether the request had a token and it was refused (RFC 6750, invalid_token). */
  isTokenRefused?: true;
  /** Where a client learns how to get a token (RFC 9728). */
  resourceMetadata?: string;
  /** Seconds after which a retry may succeed; becomes the Retry-After header. */
  retryAfterSeconds?: number;
  /** Methods for the Allow header of METHOD_NOT_ALLOWED. */
  allow?: string[];
  cause?: unknown;
}

/** The only error that domain code throws. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ApiErrorDetails;

  constructor(code: 'FORBIDDEN', details: ApiErrorDetails & { reason: ReasonOf<'FORBIDDEN'> });
  constructor(code: 'RATE_LIMITED', details: ApiErrorDetails & { reason: ReasonOf<'RATE_LIMITED'> });
  constructor(code: 'POSITION_GONE', details: ApiErrorDetails & { reason: ReasonOf<'POSITION_GONE'> });
  constructor(code: 'VALIDATION_ERROR', details: ApiErrorDetails & { issues: Issue[] });
  constructor(code: Exclude<ErrorCode, ReasonedCode | 'VALIDATION_ERROR'>, details?: ApiErrorDetails);
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

/** An error with a code that is only known at run time, and the first reason of the code by default. */
export function errorOf(code: ErrorCode, details: ApiErrorDetails = {}): ApiError {
  const reason = details.reason ?? reasonsOf(code)[0]?.[0];
  return new ApiError(code as Exclude<ErrorCode, ReasonedCode | 'VALIDATION_ERROR'>, {
    ...details,
    ...(reason && { reason }),
  });
}

export function invalid(path: string, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { message: `${path}: ${message}`, issues: [{ path, message }] });
}

/** The default Retry-After of SERVICE_UNAVAILABLE, in seconds. */
export const UNAVAILABLE_RETRY_SECONDS = 2;

/** The path of the page that explains a code, relative to the public URL; the gateway serves it. */
export function errorDocsPath(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}

export function errorBody(error: ApiError, requestId: string): ErrorBody {
  const { reason, requiredScope, requiredPlan, issues } = error.details;
  return {
    error: error.code,
    message: error.message,
    ...(reason && { reason }),
    ...(requiredScope && { requiredScope }),
    ...(requiredPlan && { requiredPlan }),
    ...(issues && { issues }),
    requestId,
    docs: errorDocsPath(error.code),
  };
}

/** The challenge of RFC 6750, section 3. */
function challengeOf({ code, status, details }: ApiError): Record<string, string> {
  if (status !== 401 && code !== 'INSUFFICIENT_SCOPE') return {};
  const parts = ['Bearer realm="Waymark"'];
  if (details.isTokenRefused) parts.push('error="invalid_token"');
  if (details.resourceMetadata) parts.push(`resource_metadata="${details.resourceMetadata}"`);
  if (code === 'INSUFFICIENT_SCOPE')
    parts.push('error="insufficient_scope"', `scope="${details.requiredScope}"`);
  return { 'WWW-Authenticate': parts.join(', ') };
}

export function errorHeaders(error: ApiError): Record<string, string> {
  const retryAfter =
    error.details.retryAfterSeconds ??
    (error.code === 'SERVICE_UNAVAILABLE' ? UNAVAILABLE_RETRY_SECONDS : undefined);
  return {
    ...(retryAfter !== undefined && { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) }),
    ...challengeOf(error),
    ...(error.details.allow && { Allow: error.details.allow.join(', ') }),
  };
}
