import compression from 'compression';
import type { Middleware } from '../request-state.ts';

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

/** Only GET gets the compressing wrapper around its response. */
export const compress: Middleware = (request, response, next) => {
  const accepted = request.headers['accept-encoding'] ?? '';
  if (request.method === 'GET' && /\b(?:gzip|br)\b/.test(accepted))
    compressJson(request as never, response as never, next);
  else next();
};
