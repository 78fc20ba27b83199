import { WaymarkError } from '@waymark/client/api';

/** An error as the console shows it. */
export interface Problem {
  title: string;
  detail: string;
  /** Fields and what to change in each. */
  issues: { path: string; name: string; message: string }[];
  requestId: string | null;
  /** The documentation page of the error. */
  docs: string | null;
}

/** An error that is not the server's, in words of its own. Small, because every page loads this file. */
export interface LocalError extends Error {
  local: Pick<Problem, 'title' | 'detail'>;
}

const TITLES: Record<string, string> = {
  VALIDATION_ERROR: 'Some of the input is not valid',
  UNAUTHORIZED: 'You are signed out',
  FORBIDDEN: 'Your role does not allow this',
  PLAN_GATE: 'Your plan does not include this',
  NOT_FOUND: 'This was not found',
  CONFLICT: 'This conflicts with what is stored',
  LIMIT_EXCEEDED: 'A limit is reached',
  PRECONDITION_FAILED: 'Somebody else changed this meanwhile',
  PRECONDITION_REQUIRED: 'Somebody else may have changed this meanwhile',
  PAYLOAD_TOO_LARGE: 'This is too large',
  RATE_LIMITED: 'Too many requests',
  SERVICE_UNAVAILABLE: 'A part of Waymark is unavailable',
  DATABASE_NOT_CONFIGURED: 'This part of Waymark is not set up',
  INTERNAL_ERROR: 'Something went wrong on our side',
};

/** Describes any error. `titles` are those of codes with another meaning in this place. */
export function problemOf(error: unknown, titles: Record<string, string> = {}): Problem {
  if (!(error instanceof WaymarkError)) {
    return {
      title: 'Waymark does not answer',
      detail: 'Check your connection, then try again.',
      issues: [],
      requestId: null,
      docs: null,
      ...(error as LocalError | null)?.local,
    };
  }
  const issues = error.issues.map((issue) => ({ ...issue, name: nameOf(issue.path) }));
  const known = Object.hasOwn(TITLES, error.code);
  return {
    title: titles[error.code] ?? TITLES[error.code] ?? 'This did not work',
    // The message of an error with issues lists them by path.
    detail: issues.map(({ name, message }) => `${name}: ${message}`).join('; ') || error.message,
    issues,
    requestId: error.requestId,
    docs: known ? `/docs/errors/${error.code}` : null,
  };
}

/** Formats `optionsConsidered.0.title` as "Options considered, entry 1, title". */
function nameOf(path: string): string {
  const parts = path.split('.').map((part) => (isIndex(part) ? `entry ${Number(part) + 1}` : wordsOf(part)));
  const name = parts.join(', ');
  return name.charAt(0).toUpperCase() + name.slice(1) || 'Input';
}

const isIndex = (part: string | undefined) => part !== undefined && /^\d+$/.test(part);
const wordsOf = (part: string) => part.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * Returns the server's message for each form field, by name, as Mantine's forms expect it. A field with
 * several entries has one message, which counts them.
 */
export function fieldErrors(error: unknown): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!(error instanceof WaymarkError)) return errors;
  for (const { path, message } of error.issues) {
    const [field = '', entry] = path.split('.');
    const text = isIndex(entry) ? `Entry ${Number(entry) + 1} ${message}` : message;
    errors[field] = errors[field] ? `${errors[field]}; ${text}` : text;
  }
  return errors;
}
