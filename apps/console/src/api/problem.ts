import { WaymarkError } from '@waymark/client/api';
import { sentence } from '../texts/format.ts';
import { problemTexts as t } from '../texts/problem.ts';
import { wordsTexts } from '../texts/words.ts';

/** An error as the console shows it. */
export interface Problem {
  title: string;
  detail: string;
  /** Fields, each with the change that it needs. */
  issues: { path: string; name: string; message: string }[];
  requestId: string | null;
  /** The documentation page of the error. */
  docs: string | null;
  /** The same request would have the same response. */
  isFinal: boolean;
  /** The session has expired. */
  isExpiry: boolean;
}

/** An error that is not the server's, in words of its own. Small, because every page loads this file. */
export interface LocalError extends Error {
  local: Pick<Problem, 'title' | 'detail'> & Partial<Pick<Problem, 'isFinal'>>;
}

/** Describes any error. `titles` has the titles of codes with another meaning in this place. */
export function problemOf(error: unknown, titles: Record<string, string> = {}): Problem {
  if (!(error instanceof WaymarkError)) {
    return {
      title: t.offline,
      detail: t.offlineHint,
      issues: [],
      requestId: null,
      docs: null,
      isFinal: false,
      isExpiry: false,
      ...(error as LocalError | null)?.local,
    };
  }
  const issues = error.issues.map(({ path, message }) => ({
    path,
    message: t.ofApi(message),
    name: nameOf(path),
  }));
  const known = Object.hasOwn(t.titles, error.code);
  return {
    title: titles[error.code] ?? (known ? t.titles[error.code as keyof typeof t.titles] : t.other),
    // The message of an error with issues lists them by path.
    detail:
      issues.map(({ name, message }) => `${name}: ${message}`).join('; ') ||
      (titles[error.code] ? t.ofApi(error.message) : detailOf(error)),
    issues,
    requestId: error.requestId,
    docs: known ? `/docs/errors/${error.code}` : null,
    isExpiry: error.code === 'UNAUTHORIZED',
    isFinal: [400, 403, 404].includes(error.status),
  };
}

function detailOf({ code, retryAfterSeconds, message }: WaymarkError): string {
  if (code === 'UNAUTHORIZED') return t.signInAgain;
  return code === 'RATE_LIMITED' && retryAfterSeconds ? t.wait(retryAfterSeconds) : t.ofApi(message);
}

/** Formats `optionsConsidered.0.title` as "Options considered, entry 1, title". */
function nameOf(path: string): string {
  const parts = path
    .split('.')
    .map((part) => (isIndex(part) ? t.entry(Number(part) + 1) : wordsTexts.field(part)));
  const name = parts.join(', ');
  return sentence(name) || t.input;
}

const isIndex = (part: string | undefined) => part !== undefined && /^\d+$/.test(part);

/**
 * Returns the message for each form field, by name, as Mantine's forms expect it. A field with
 * several entries has one message, which counts them.
 */
export function fieldErrors(error: unknown): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!(error instanceof WaymarkError)) return errors;
  for (const { path, message: said } of error.issues) {
    const message = t.ofApi(said);
    const [field = '', entry] = path.split('.');
    const text = isIndex(entry) ? t.inEntry(Number(entry) + 1, message) : sentence(message);
    errors[field] = errors[field] ? `${errors[field]}; ${text}` : text;
  }
  return errors;
}
