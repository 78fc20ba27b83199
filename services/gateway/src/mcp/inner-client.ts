import http from 'node:http';
import { duplexPair } from 'node:stream';
import { ApiError, BASE_PATH, limits, type Operation } from '@waymark/contracts';
import { ClientGone } from '../http/hold-place.ts';
import type { GatewayResponse } from '../request-state.ts';

/** The arguments of an operation. */
export interface OperationInput {
  params: Record<string, string>;
  query: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface OperationResponse {
  status: number;
  text: string;
  retryAfterSeconds: number | null;
}

/** The server's end of a connection in memory. */
export interface InnerSocket {
  /** The response of the request whose tool has opened the connection. */
  outer?: GatewayResponse;
}

/** Calls an operation with the credentials, the address and the request id of the client of `outer`. */
export type CallGateway = (
  outer: GatewayResponse,
  operation: Operation,
  input: OperationInput,
) => Promise<OperationResponse>;

/** More than the arguments of a message have when each of their bytes is escaped in a URL. */
const HEAD_BYTES_MAX = 4 * limits.bodyBytes;

/** The headers for the caller's rights, the audit log and idempotency. */
const PASSED = [
  'authorization',
  'x-api-key',
  'cookie',
  'origin',
  'sec-fetch-site',
  'user-agent',
  'idempotency-key',
] as const;

/**
 * A client of this gateway itself, over connections in memory: each tool of the MCP server passes every
 * middleware, as a request from outside does.
 */
export function innerClient(handle: http.RequestListener): CallGateway {
  // Node would refuse longer arguments in a URL without a message, and close the connection.
  const server = http.createServer({ maxHeaderSize: HEAD_BYTES_MAX }, handle);

  function connect(outer: GatewayResponse) {
    const [own, served] = duplexPair();
    // Unlike a socket, one end of such a pair stays open when the other end is destroyed.
    for (const end of [own, served]) end.once('end', () => end.destroy());
    Object.assign(served, { remoteAddress: outer.locals.clientAddress, outer });
    server.emit('connection', served);
    return own;
  }

  return (outer, operation, { params, query, body, headers }) => {
    const given = outer.req.headers;
    const passed = PASSED.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
    const text = body === undefined ? undefined : JSON.stringify(body);
    const path = Object.entries(params).reduce<string>(
      (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
      operation.path,
    );
    const search = new URLSearchParams(query).toString();
    const request = http.request({
      createConnection: () => connect(outer),
      method: operation.method,
      path: `${BASE_PATH}${path}${search && `?${search}`}`,
      headers: {
        ...Object.fromEntries(passed),
        ...headers,
        'x-request-id': outer.locals.requestId,
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      },
    });
    const abort = () => void request.destroy(new ClientGone());
    outer.once('close', abort);
    request.once('close', () => outer.off('close', abort));
    request.end(text);
    return responseOf(request);
  };
}

function responseOf(request: http.ClientRequest): Promise<OperationResponse> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(error instanceof ApiError ? error : new ApiError('SERVICE_UNAVAILABLE', { cause: error }));
    request.once('error', fail);
    request.once('response', (response) => {
      response.once('error', fail);
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > limits.mcpResponseBytes) request.destroy(tooLarge());
      });
      response.once('end', () => {
        const retryAfter = response.headers['retry-after'];
        resolve({
          status: response.statusCode!,
          text: Buffer.concat(chunks).toString(),
          retryAfterSeconds: retryAfter === undefined ? null : Number(retryAfter),
        });
      });
    });
  });
}

function tooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', {
    message: `The response has more than ${limits.mcpResponseBytes} bytes; ask for fewer records with limit.`,
  });
}
