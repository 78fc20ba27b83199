import {
  ApiError,
  invalid,
  mcpEndpoint,
  parseQuery,
  RESOURCE_METADATA,
  scopesInclude,
} from '@waymark/contracts';
import { parseBody, validate } from '@waymark/service-kit/http';
import { createAdmission } from '@waymark/service-kit/jobs';
import type { Logger, Metrics } from '@waymark/service-kit/process';
import type { Authenticate } from '../auth/authenticate.ts';
import type { OriginPolicy } from '../auth/origin.ts';
import type { BodyReceiver } from '../bodies/receive-body.ts';
import { holdPlace } from '../http/hold-place.ts';
import { sendJson, writeHead } from '../http/respond.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { Middleware } from '../request-state.ts';
import type { CallGateway } from './inner-client.ts';
import type { McpResponse } from './respond-to-message.ts';

/** The most messages at once; each may hold responses of a mebibyte in memory. */
const IN_FLIGHT_MAX = 32;

/**
 * Serves the MCP endpoint, without sessions: each POST has one message and a JSON response. A tool is charged
 * for the operations that it uses, every other request for one read.
 */
export function serveMcp(options: {
  origins: OriginPolicy;
  authenticate: Authenticate;
  rateLimit: RateLimit;
  receive: BodyReceiver;
  metrics: Pick<Metrics, 'admission'>;
  /** Whether tools that change something are offered. */
  writes: boolean;
  call: CallGateway;
  publicUrl: string;
  log: Logger;
}): Middleware {
  const { origins, authenticate, rateLimit, receive, metrics, writes, call, publicUrl, log } = options;
  const messages = createAdmission({
    ...metrics.admission(mcpEndpoint.id),
    what: 'messages to the MCP server',
    total: IN_FLIGHT_MAX,
  });

  /** Tells a client without a valid token where to get one. */
  function refuse(error: unknown): never {
    if (!(error instanceof ApiError) || error.code !== 'UNAUTHORIZED') throw error;
    throw new ApiError('UNAUTHORIZED', { ...error.details, resourceMetadata: publicUrl + RESOURCE_METADATA });
  }

  return async (request, response, next) => {
    const { locals } = response;
    if (locals.operation !== mcpEndpoint) return next();
    const principal = await authenticate(response).catch(refuse);
    locals.principal = principal;
    // Requests with a key too: the protocol demands that local servers refuse foreign pages (DNS rebinding).
    origins.check(response);
    let answer: McpResponse;
    try {
      if (request.method !== mcpEndpoint.method)
        throw new ApiError('METHOD_NOT_ALLOWED', { allow: [mcpEndpoint.method] });
      const query = locals.search === '' ? {} : parseQuery(locals.search, mcpEndpoint.query);
      const { read_only = false } = validate(mcpEndpoint.query, query);
      const body = await receive(response).catch(refuse);
      const message = parseBody(mcpEndpoint, body ?? Buffer.alloc(0));
      if (Array.isArray(message)) throw invalid('body', 'must be one JSON-RPC message, not a batch');
      holdPlace(messages, response);
      // Loaded with the first message: most gateways never get one.
      const { respondToMessage } = await import('./respond-to-message.ts');
      answer = await respondToMessage(message, {
        response,
        call,
        offersWrites: writes && !read_only,
        mayWrite: principal.type === 'session' || scopesInclude(principal.scopes, 'write'),
        publicUrl,
        log,
      });
    } finally {
      if (!locals.limit) await rateLimit.caller(response, principal, mcpEndpoint.bucket);
    }
    if (answer.text !== '') return sendJson(response, answer.status, answer.text);
    // A notification has no response message: 202.
    writeHead(response, answer.status, ['Content-Length', '0']);
    response.end();
  };
}
