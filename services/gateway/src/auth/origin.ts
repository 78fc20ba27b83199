import { ApiError, headers } from '@waymark/contracts';
import { type GatewayResponse, isSafe, type Middleware } from '../request-state.ts';

export type OriginPolicy = ReturnType<typeof originPolicy>;

const PREFLIGHT_SECONDS = 600;
const READABLE = [...Object.values(headers), 'ETag', 'Link', 'Location', 'Allow', 'Content-Disposition'].join(
  ', ',
);
const SENDABLE = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  headers.apiKey,
  headers.idempotencyKey,
  headers.batchSize,
  headers.requestId,
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
].join(', ');

/** Decides which web pages may call: those of PUBLIC_URL and of CORS_ORIGINS. */
export function originPolicy(publicUrl: string, corsOrigins: readonly string[]) {
  const foreign = new Set(corsOrigins);
  const allowed = new Set([new URL(publicUrl).origin, ...corsOrigins]);

  return {
    /** Lets pages of the configured origins read the response. */
    expose(response: GatewayResponse): void {
      if (foreign.size === 0) return;
      response.setHeader('Vary', 'Origin');
      const { origin } = response.req.headers;
      if (origin === undefined || !foreign.has(origin)) return;
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Allow-Credentials', 'true');
      response.setHeader('Access-Control-Expose-Headers', READABLE);
    },
    /** Throws FORBIDDEN for a change that a page of another site sends with the user's cookie. */
    check({ req }: GatewayResponse): void {
      if (isSafe(req.method)) return;
      const { origin, 'sec-fetch-site': site } = req.headers;
      const isForeign = origin === undefined ? site === 'cross-site' : !allowed.has(origin);
      if (isForeign) {
        throw new ApiError('FORBIDDEN', {
          reason: 'origin',
          message: `Pages of ${origin ?? 'another site'} may not do this; the operator allows origins by CORS_ORIGINS.`,
        });
      }
    },
    /**
     * Sets the headers of the response to a CORS preflight request; returns false for any other request.
     * Throws FORBIDDEN for a foreign page.
     */
    allowsPreflight(response: GatewayResponse, methods: readonly string[]): boolean {
      const { origin, 'access-control-request-method': method } = response.req.headers;
      if (origin === undefined || method === undefined) return false;
      if (!foreign.has(origin)) {
        throw new ApiError('FORBIDDEN', {
          reason: 'origin',
          message: `Pages of ${origin} may not call; the operator allows origins by CORS_ORIGINS.`,
        });
      }
      response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
      response.setHeader('Access-Control-Allow-Headers', SENDABLE);
      response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
      return true;
    },
  };
}

/** Refuses a change that a page of another site sends with the user's cookie or without credentials. */
export function checkOrigin(origins: OriginPolicy): Middleware {
  return (_, response, next) => {
    const { operation, principal } = response.locals;
    if (operation && principal?.type !== 'api_key') origins.check(response);
    next();
  };
}
