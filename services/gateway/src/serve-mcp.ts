import { ApiError, callersOf, mcpEndpoint, parseQuery, scopesInclude } from '@waymark/contracts';
import { parseBody, validate } from '@waymark/service-kit/http';
import type { Exchange } from './exchange/exchange.ts';
import type { GatewayMetrics } from './exchange/gateway-metrics.ts';
import { sendJson, sendNothing, writeHead } from './exchange/respond.ts';
import type { McpAnswer, ToolSession } from './mcp/answer-message.ts';
import type { PipelineOptions } from './pipeline.ts';
import { concurrencyLimiter } from './proxy/concurrency-limiter.ts';
import { checkAnnouncedLength, limitBody } from './proxy/request-body.ts';
import { ClientGone } from './proxy/upstream-failure.ts';

type McpOptions = Pick<
  PipelineOptions,
  'origins' | 'authenticate' | 'rateLimit' | 'mcpLimiter' | 'mcpWrites' | 'bodyTimeoutMs' | 'log'
> & { call: ToolSession['call'] };

/** Each message may keep answers of a mebibyte. One caller gets half of the limit. */
const IN_FLIGHT_MAX = 32;

export const createMcpLimiter = (metrics: Pick<GatewayMetrics, 'concurrencyRefused'>) =>
  concurrencyLimiter(IN_FLIGHT_MAX, (reason) =>
    metrics.concurrencyRefused.inc({ upstream: mcpEndpoint.id, reason }),
  );

/**
 * Serves the MCP endpoint, without sessions: each POST has one message and a JSON answer. A tool is charged
 * for the operations that it uses, every other request for one read.
 */
export async function serveMcp(options: McpOptions, exchange: Exchange, search: string): Promise<void> {
  const { origins, rateLimit, mcpLimiter } = options;
  const { request } = exchange;
  exchange.operation = mcpEndpoint;
  if (request.method === 'OPTIONS' && origins.answersPreflight(exchange, [mcpEndpoint.method])) {
    exchange.limit = rateLimit.uncharged(exchange);
    return sendNothing(exchange, 204);
  }
  const principal = await options.authenticate(exchange);
  exchange.principal = principal;
  // Also for keys: a local server must refuse the pages of other sites (DNS rebinding), says the protocol.
  origins.check(exchange);
  const callers = callersOf(principal)!;
  let answer: McpAnswer;
  try {
    if (request.method !== mcpEndpoint.method)
      throw new ApiError('METHOD_NOT_ALLOWED', { allow: [mcpEndpoint.method] });
    const { read_only = false } = validate(mcpEndpoint.query, search === '' ? {} : parseQuery(search));
    const message = await readMessage(exchange, options.bodyTimeoutMs);
    if (exchange.response.destroyed) throw new ClientGone();
    mcpLimiter.check(callers);
    mcpLimiter.take(callers);
    exchange.response.once('close', () => mcpLimiter.give(callers));
    const mayWrite = principal.type === 'session' || scopesInclude(principal.scopes, 'write');
    // Loaded with the first message: most gateways never get one.
    const { answerMessage } = await import('./mcp/answer-message.ts');
    answer = await answerMessage(message, {
      exchange,
      call: options.call,
      offersWrites: options.mcpWrites && !read_only,
      mayWrite,
      log: options.log,
    });
  } finally {
    if (!exchange.limit) await rateLimit.caller(exchange, principal, mcpEndpoint.bucket);
  }
  if (answer.text !== '') return sendJson(exchange, answer.status, answer.text);
  // A notification has no answer: 202.
  writeHead(exchange, answer.status, ['Content-Length', '0']);
  exchange.response.end();
}

async function readMessage({ request, response }: Exchange, timeoutMs: number): Promise<unknown> {
  checkAnnouncedLength(request, mcpEndpoint);
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new ApiError('REQUEST_TIMEOUT')), timeoutMs);
  const chunks: Buffer[] = [];
  const keep = (chunk: Buffer) => chunks.push(chunk);
  limitBody(request, mcpEndpoint, reject);
  request.on('data', keep).once('end', resolve);
  request.once('close', () => reject(new ClientGone()));
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    request.off('data', keep);
  }
  const message = parseBody(mcpEndpoint, Buffer.concat(chunks));
  if (!Array.isArray(message)) return message;
  throw new ApiError('VALIDATION_ERROR', { message: 'Send one JSON-RPC message in a request, not a batch.' });
}
