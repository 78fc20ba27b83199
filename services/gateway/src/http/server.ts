import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  ApiError,
  type ErrorCode,
  errorBody,
  errorHeaders,
  errorOf,
  headers,
  limits,
} from '@waymark/contracts';
import type { ServiceTls } from '@waymark/service-kit/process';
import { oneAtATime } from './one-at-a-time.ts';
import { type LimitDecision, rateLimitHeaders } from './rate-limit-headers.ts';
import { endSlowReaders, type SlowReaders } from './slow-readers.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_MS = 1_000;
/** More than `requestLine` accepts: Node cannot tell a URL that is too long from headers. */
const PARSED_BYTES_MAX = 2 * limits.headerBytes;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/\d\.\d\r?\n/;
const MALFORMED = 'This is not a well-formed HTTP/1.1 request.';
const NO_TUNNEL = 'This server is not a proxy; send requests to the server itself.';

/** The codes of Node's own errors; every other error means that the request is not HTTP. */
const CLIENT_ERRORS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'REQUEST_HEADER_FIELDS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** The code for a client that sends nothing to the TLS port. It reads no response, and stays connected. */
const HANDSHAKE_TIMEOUT = 'ERR_TLS_HANDSHAKE_TIMEOUT';

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** The public HTTP server. `uncharged` has the bucket's state for the headers of Node's own refusals. */
export function createGatewayServer(options: {
  handle: (request: http.IncomingMessage, response: http.ServerResponse) => void;
  commonHeaders: readonly string[];
  uncharged: (peer: string | undefined) => LimitDecision;
  slowReaders: SlowReaders;
  /** Without it, the server speaks plain HTTP. */
  tls: Pick<ServiceTls, 'createServer'> | undefined;
}): http.Server {
  const create = options.tls?.createServer ?? http.createServer;
  const handle = oneAtATime((request, response) => {
    beginResponse(request.socket);
    options.handle(request, response);
  });
  const server = create(
    {
      maxHeaderSize: PARSED_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // `requestLine` checks Host itself, because Node's refusal would lack our headers.
      requireHostHeader: false,
    },
    handle,
  );
  const beginResponse = endSlowReaders(server, options.slowReaders);
  // The proxy sends "100 Continue" once the request has passed all checks.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('clientError', (error: ParserError, socket) => {
    const { _httpMessage: current } = socket as { _httpMessage?: http.ServerResponse };
    const isLost = error.code === 'ECONNRESET' || error.code === HANDSHAKE_TIMEOUT;
    if (isLost || !socket.writable || current?.headersSent) {
      socket.destroy();
      return;
    }
    const code = codeOf(error);
    refuse(socket, code ? errorOf(code) : malformed());
  });
  // Without a listener Node closes the connection without a response.
  server.on('connect', (_, socket) => {
    socket.on('error', () => undefined);
    refuse(socket, new ApiError('METHOD_NOT_ALLOWED', { message: NO_TUNNEL, allow: METHODS }));
  });

  function refuse(socket: Duplex, refusal: ApiError): void {
    const decision = options.uncharged((socket as Socket).remoteAddress);
    socket.end(rawResponse(refusal, options.commonHeaders, decision), () => socket.destroy());
  }
  return server;
}

/** Returns the code for an error of Node. A URL above `PARSED_BYTES_MAX` is recognized only in one packet. */
function codeOf(error: ParserError): ErrorCode | undefined {
  if (isUnknownMethod(error)) return 'NOT_IMPLEMENTED';
  const [line = ''] = (error.rawPacket?.toString('latin1') ?? '').split('\n', 1);
  const isInUrl =
    error.code === 'HPE_HEADER_OVERFLOW' && line.length > PARSED_BYTES_MAX && /^[A-Z]+ \//.test(line);
  return isInUrl ? 'URI_TOO_LONG' : CLIENT_ERRORS[error.code ?? ''];
}

const malformed = () =>
  new ApiError('VALIDATION_ERROR', { message: MALFORMED, issues: [{ path: 'request', message: MALFORMED }] });

/** Node's parser refuses a method that it does not know and any text that is not HTTP in the same way. */
function isUnknownMethod({ code, rawPacket }: ParserError): boolean {
  return code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(rawPacket?.toString('latin1') ?? '');
}

/** The text of a response, for a connection without a response object. */
function rawResponse(error: ApiError, commonHeaders: readonly string[], decision: LimitDecision): string {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(error, requestId));
  const all = [
    ...[headers.requestId, requestId],
    ...commonHeaders,
    ...Object.entries(errorHeaders(error)).flat(),
    ...rateLimitHeaders(decision),
    ...['Cache-Control', 'no-store'],
    ...['Content-Type', 'application/json; charset=utf-8'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['Connection', 'close'],
  ];
  let head = `HTTP/1.1 ${error.status} ${http.STATUS_CODES[error.status]}\r\n`;
  for (let i = 0; i < all.length; i += 2) head += `${all[i]}: ${all[i + 1]}\r\n`;
  return `${head}\r\n${body}`;
}
