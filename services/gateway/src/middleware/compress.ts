import { codedTag } from '@waymark/contracts';
import compression from 'compression';
import type { GatewayResponse, Middleware } from '../request-state.ts';

const LEAST_BYTES = 1_024;

/**
 * Compresses the JSON of GET as the client accepts it. Whole bodies only: streams (events, exports, the white
 * space of slow responses) must arrive as they are sent.
 *
 * BREACH needs a secret and text of the attacker in one compressed body, and a victim whose browser sends the
 * request from another site. Secrets (keys, webhooks, calendar feeds) are in responses to POST only, and
 * SameSite cookies stay away from requests of other sites.
 */
const compressJson = compression({
  threshold: LEAST_BYTES,
  filter: (_, response) =>
    String(response.getHeader('Content-Type')).startsWith('application/json') &&
    response.hasHeader('Content-Length'),
});

/**
 * Only GET and HEAD get the compressing wrapper around their response. HEAD counts as GET, so that it has
 * the same headers; Node drops the body. A strong tag names the coding, because the bytes are others.
 */
export const compress: Middleware = (request, response, next) => {
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return next();
  // Set for a 304 and an uncompressed response too: caches must know that it varies (RFC 9110, 15.4.5).
  response.vary('Accept-Encoding');
  if (!/\b(?:gzip|br)\b/i.test(headers['accept-encoding'] ?? '')) return next();
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => GatewayResponse;
  // The wrapper sets all headers, also the given ones, before it calls this function.
  response.writeHead = (...head: unknown[]) => {
    const [coding, tag] = [response.getHeader('Content-Encoding'), response.getHeader('ETag')];
    if (coding !== undefined && tag !== undefined)
      response.setHeader('ETag', codedTag(String(tag), String(coding)));
    return writeHead(...head);
  };
  compressJson({ method: 'GET', headers } as never, response as never, next);
};
