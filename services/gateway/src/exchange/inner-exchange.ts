import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { ApiError, limits, type Operation } from '@waymark/contracts';
import { type Exchange, newExchange } from './exchange.ts';

/** What an operation gets, as in a request: path parameters, query and body. */
export interface InnerInput {
  params: Record<string, string>;
  query: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface InnerAnswer {
  status: number;
  text: string;
  retryAfterSeconds: number | null;
}

/** What decides about a caller's rights, and what the audit log and idempotency need. */
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
 * A request for an operation that the client of `outer` makes by a tool of the MCP server. It has the same
 * credentials, address and request id, and passes the same pipeline, but its answer stays in this process.
 */
export function innerExchange(outer: Exchange, operation: Operation, input: InnerInput) {
  const body = input.body === undefined ? null : Buffer.from(JSON.stringify(input.body));
  // A socket without a connection: the whole request is here.
  const request = new IncomingMessage(new Socket());
  request.method = operation.method;
  request.complete = true;
  const { headers } = outer.request;
  const passed = PASSED.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  request.headers = { ...Object.fromEntries(passed), ...input.headers, 'x-request-id': outer.requestId };
  if (body) {
    request.headers['content-type'] = 'application/json';
    request.headers['content-length'] = String(body.length);
  }
  const sink = answerSink();
  const abort = () => sink.destroy();
  outer.response.once('close', abort);
  sink.once('close', () => outer.response.off('close', abort));
  if (outer.response.destroyed) abort();
  const { clientAddress, commonHeaders } = outer;
  const exchange = newExchange(request, sink as unknown as ServerResponse, { clientAddress, commonHeaders });
  return { exchange: Object.assign(exchange, { body, via: 'mcp' as const }), answer: sink.answer };
}

/** The part of a response object that the pipeline uses; it collects the answer. */
function answerSink() {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let own: readonly string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<InnerAnswer>();
  const sink = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        chunks.push(chunk);
        done(bytes > limits.mcpAnswerBytes ? tooLarge() : null);
      },
    }),
    {
      statusCode: 200,
      headersSent: false,
      writeHead(status: number, headers: readonly string[]) {
        sink.statusCode = status;
        sink.headersSent = true;
        own = headers;
        return sink;
      },
      setHeader: () => sink,
      flushHeaders: () => undefined,
      answer: promise,
    },
  );
  sink.on('error', reject);
  sink.on('close', () => {
    // An answer that was broken off, or whose client has gone.
    if (!sink.writableFinished) return reject(new ApiError('SERVICE_UNAVAILABLE'));
    const at = own.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'retry-after');
    const retryAfterSeconds = at < 0 ? null : Number(own[at + 1]);
    resolve({ status: sink.statusCode, text: Buffer.concat(chunks).toString(), retryAfterSeconds });
  });
  // The pipeline waits for the operation first.
  promise.catch(() => undefined);
  return sink;
}

function tooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', {
    message: `The answer has more than ${limits.mcpAnswerBytes} bytes; ask for fewer records with limit.`,
  });
}
