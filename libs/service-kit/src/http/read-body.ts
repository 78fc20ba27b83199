import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ApiError, bodyBytesMax, bodyValuesMax, invalid, limits, type Operation } from '@waymark/contracts';
import { validate } from './validate.ts';

/** The most bytes that the body of a request can have: those that it announces, or the limit. */
export function announcedBytes(request: IncomingMessage, operation: Operation): number {
  const limitBytes = bodyBytesMax(operation);
  const announced = Number(request.headers['content-length'] ?? limitBytes);
  if (announced > limitBytes) throw bodyTooLarge(limitBytes);
  return announced;
}

/** Returns the raw JSON body of a request. Throws PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE. */
export async function readBody(request: IncomingMessage, operation: Operation): Promise<Buffer<ArrayBuffer>> {
  const limitBytes = bodyBytesMax(operation);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) throw bodyTooLarge(limitBytes);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (body.length > 0 && !isJson(request.headers['content-type']))
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body without a Content-Encoding.' });
  }
  return body;
}

export function bodyTooLarge(limitBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${limitBytes} bytes.` });
}

function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith('charset='));
  return type.trim() === 'application/json' && (!charset || /^charset="?utf-8"?$/.test(charset));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Returns why parsing would overflow the stack or take many times the memory of the text; else null. */
function excessIn(json: Buffer, valuesMax: number): string | null {
  let depth = 0;
  // A colon follows each key, and a comma or an opening bracket precedes each value.
  let values = 0;
  let inString = false;
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i]!;
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COLON || byte === COMMA) values += 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      values += 1;
      depth += 1;
      if (depth > limits.jsonDepth) return `nests deeper than ${limits.jsonDepth} levels`;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
  }
  return values > valuesMax ? `has more than ${valuesMax} keys and values` : null;
}

function parseJson(json: Buffer, valuesMax: number): unknown {
  if (!isUtf8(json)) throw invalid('body', 'is not valid UTF-8');
  const excess = excessIn(json, valuesMax);
  if (excess) throw invalid('body', excess);
  try {
    return JSON.parse(json.toString());
  } catch (error) {
    throw invalid('body', `is not valid JSON: ${(error as Error).message}`);
  }
}

/** Returns the body of a request as its operation's schema describes it, or throws VALIDATION_ERROR. */
export function parseBody(operation: Operation, raw: Buffer): unknown {
  if (!operation.body) return {};
  return validate(operation.body, raw.length > 0 ? parseJson(raw, bodyValuesMax(operation)) : {});
}
