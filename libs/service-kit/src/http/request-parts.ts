import type { IncomingMessage, ServerResponse } from 'node:http';

/** Splits a request target into path and query. The query itself may contain question marks. */
export function splitUrl(url: string): [path: string, search: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

/** Returns a request header as one string; Node itself joins most repeated headers. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Returns a signal that aborts when the response has ended, or its client can no longer receive it. */
export function goneOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}
