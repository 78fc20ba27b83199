import { WaymarkError } from '@waymark/client/api';

/** What went wrong, as a person reads it. */
export interface Problem {
  title: string;
  detail: string;
  /** Fields with what to change in each. */
  issues: { path: string; message: string }[];
  requestId: string | null;
  /** The page that explains the error. */
  docs: string | null;
}

const TITLES: Record<string, string> = {
  VALIDATION_ERROR: 'Something in this needs another look',
  UNAUTHORIZED: 'You are signed out',
  FORBIDDEN: 'Your role does not allow this',
  PLAN_GATE: 'Your plan does not include this',
  NOT_FOUND: 'This is not here',
  CONFLICT: 'This does not fit what is there',
  LIMIT_EXCEEDED: 'A limit is reached',
  PRECONDITION_FAILED: 'Somebody else changed this meanwhile',
  PRECONDITION_REQUIRED: 'Somebody else may have changed this meanwhile',
  PAYLOAD_TOO_LARGE: 'This is too large',
  RATE_LIMITED: 'That was a little fast',
  SERVICE_UNAVAILABLE: 'A part of Waymark is away',
  DATABASE_NOT_CONFIGURED: 'This part of Waymark is not set up',
  INTERNAL_ERROR: 'Something went wrong on our side',
};

/** Puts any failure into words. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof WaymarkError)) {
    return {
      title: 'Waymark does not answer',
      detail: 'Check your connection, then try again.',
      issues: [],
      requestId: null,
      docs: null,
    };
  }
  const known = Object.hasOwn(TITLES, error.code);
  return {
    title: TITLES[error.code] ?? 'This did not work',
    detail: error.message,
    issues: error.issues,
    requestId: error.requestId,
    docs: known ? `/docs/errors/${error.code}` : null,
  };
}

/** What the server said of each field of a form, by the field's name; Mantine's forms take it as it is. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof WaymarkError)) return {};
  return Object.fromEntries(error.issues.map(({ path, message }) => [path, message]));
}
