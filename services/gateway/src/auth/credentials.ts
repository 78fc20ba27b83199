import type { IncomingMessage } from 'node:http';
import { ApiError } from '@waymark/contracts';
import { cookieValue } from '../exchange/cookie.ts';
import { countHeader } from '../exchange/request-line.ts';

export type Credentials = { type: 'key'; key: string } | { type: 'session'; token: string };

const BEARER = /^bearer +([^\s]+)$/i;

/**
 * The credentials of a request. A key takes precedence over a cookie; credentials in the URL are ignored.
 * Throws UNAUTHORIZED for two different keys and for an Authorization header without a key.
 */
export function credentialsOf(request: IncomingMessage, cookieName: string): Credentials | null {
  const { authorization, 'x-api-key': apiKey, cookie } = request.headers;
  if (authorization !== undefined || apiKey !== undefined) {
    return { type: 'key', key: keyIn(request, authorization, apiKey) };
  }
  const token = cookie === undefined ? null : cookieValue(cookie, cookieName);
  return token ? { type: 'session', token } : null;
}

function keyIn(
  request: IncomingMessage,
  authorization: string | undefined,
  apiKey: string | string[] | undefined,
): string {
  if (authorization === undefined) return String(apiKey);
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer === undefined || countHeader(request, 'authorization') > 1) {
    throw new ApiError('UNAUTHORIZED', {
      message: 'The Authorization header is not "Bearer <key>"; send one API key that way, or as X-Api-Key.',
    });
  }
  if (apiKey !== undefined && apiKey !== bearer) {
    throw new ApiError('UNAUTHORIZED', {
      message: 'Authorization and X-Api-Key hold different keys; send one key.',
    });
  }
  return bearer;
}
