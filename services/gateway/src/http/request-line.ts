import type { IncomingMessage } from 'node:http';
import { ApiError, BASE_PATH, limits } from '@waymark/contracts';

/** An encoded slash, backslash, dot, percent sign or control character, which only texts in paths need. */
const SUSPICIOUS_ESCAPE = /%(2f|5c|2e|25|[01][0-9a-f]|7f)/i;

/**
 * Returns the path and the query. Throws URI_TOO_LONG, REQUEST_HEADER_FIELDS_TOO_LARGE, and VALIDATION_ERROR
 * for a URL that servers could read differently.
 */
export function requestLine(request: IncomingMessage): { path: string; search: string } {
  if ((request.url ?? '').length > limits.headerBytes) throw new ApiError('URI_TOO_LONG');
  const headerBytes = request.rawHeaders.reduce((sum, text) => sum + text.length, 0);
  if (headerBytes > limits.headerBytes) throw new ApiError('REQUEST_HEADER_FIELDS_TOO_LARGE');
  const url = originForm(request.url ?? '');
  if (!url.startsWith('/'))
    throw refused('Send the path of the URL in the request line, beginning with "/".');
  if (countHeader(request, 'host') !== 1) throw refused('Send exactly one Host header.');
  const coding = request.headers['transfer-encoding'];
  // Node removes the chunks and leaves the body as another coding has it.
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    throw refused('Send the body with a Content-Length, or with Transfer-Encoding: chunked alone.');
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  if (path.includes('%')) checkEncoding(path);
  if (path.includes('\\') || path.includes('#')) throw refused('The path has a backslash or a "#".');
  return { path, search: mark < 0 ? '' : url.slice(mark + 1) };
}

/** Whether a path is one of the API, and not of a page or an endpoint beside it. */
export const isApi = (path: string): boolean => path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);

/** The scheme and authority of an absolute-form target, which every server must accept (RFC 9112, 3.2.2). */
const AUTHORITY = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?(?=[/?]|$)/i;

/** Removes the authority. Neither routing nor Origin checks use it or Host, so the two need not agree. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(AUTHORITY, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}

/** Counts a header's occurrences: of several Host or Authorization headers, Node keeps only the first. */
export function countHeader(request: IncomingMessage, name: string): number {
  const { rawHeaders } = request;
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i]!;
    if (raw.length === name.length && raw.toLowerCase() === name) count += 1;
  }
  return count;
}

/** Throws VALIDATION_ERROR for escapes that only the text in a path may have. */
export function refuseEscapes(path: string): void {
  if (SUSPICIOUS_ESCAPE.test(path)) {
    throw refused('The path has an encoded slash, backslash, dot, percent sign or control character.');
  }
}

function checkEncoding(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw refused('The path has malformed percent-encoding.');
  }
}

function refused(message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { message, issues: [{ path: 'url', message }] });
}
