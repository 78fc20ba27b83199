import type { ServerResponse } from 'node:http';
import { API_VERSION, type ApiError, errorBody, errorHeaders, headers } from '@waymark/contracts';
import type { Exchange } from './exchange.ts';
import { setRateLimitHeaders } from './rate-limit-headers.ts';

const LINGER_MS = 2_000;

/** The headers that every answer has, whoever wrote it. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const;

/** Sets what every answer carries; over whatever a service said of the same. */
export function setCommonHeaders({ response, requestId, limit }: Exchange): void {
  response.setHeader(headers.requestId, requestId);
  response.setHeader(headers.apiVersion, API_VERSION);
  for (const name in securityHeaders) {
    response.setHeader(name, securityHeaders[name as keyof typeof securityHeaders]);
  }
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  if (limit) setRateLimitHeaders(response, limit);
}

/** Answers with a text that is ready. */
export function sendJson(exchange: Exchange, status: number, text: string): void {
  const { response } = exchange;
  const body = Buffer.from(text);
  response.statusCode = status;
  setCommonHeaders(exchange);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.end(body);
}

/** Answers that the client's copy is still good. */
export function sendNotModified(exchange: Exchange): void {
  exchange.response.statusCode = 304;
  setCommonHeaders(exchange);
  exchange.response.end();
}

/** Answers without a body. */
export function sendNothing(exchange: Exchange): void {
  exchange.response.statusCode = 204;
  setCommonHeaders(exchange);
  exchange.response.end();
}

/** The one way in which a request fails; an answer under way is cut off, so that it is never taken for whole. */
export function sendError(exchange: Exchange, error: ApiError): void {
  const { request, response } = exchange;
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(errorBody(error, exchange.requestId)));
  const brought = errorHeaders(error);
  response.statusCode = error.status;
  for (const name in brought) response.setHeader(name, brought[name]!);
  setCommonHeaders(exchange);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  if (request.complete || !exchange.sendsBody) {
    response.end(body);
    return;
  }
  response.setHeader('Connection', 'close');
  response.write(body);
  linger(exchange, response);
}

/**
 * Reads on for a moment before it closes: closing while the client still sends its body would reset the connection, and the
 * answer that explains the refusal would be lost with it.
 */
function linger({ request }: Exchange, response: ServerResponse): void {
  const end = () => {
    clearTimeout(timer);
    if (!response.writableEnded) response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
