import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ApiError, bodyBytesMax, invalid, limits, type Operation } from '@waymark/contracts';

const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns why parsing would overflow the stack or take many times the memory of the text; else null. */
function excessIn(json: Buffer): string | null {
  let depth = 0;
  let containers = 0;
  let inString = false;
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i]!;
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (OPEN.has(byte)) {
      depth += 1;
      containers += 1;
      if (depth > limits.jsonDepth) return `nests deeper than ${limits.jsonDepth} levels`;
      if (containers > limits.jsonContainers) return `has over ${limits.jsonContainers} objects and arrays`;
    } else if (CLOSE.has(byte)) depth -= 1;
  }
  return null;
}

/** Returns the raw JSON body of a request. Throws PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE. */
export async function readBody(request: IncomingMessage, operation: Operation): Promise<Buffer> {
  const limitBytes = bodyBytesMax(operation);
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge(limitBytes);
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

function tooLarge(limitBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${limitBytes} bytes.` });
}

function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith('charset='));
  return type.trim() === 'application/json' && (!charset || /^charset="?utf-8"?$/.test(charset));
}

/** Parses JSON from outside. Throws VALIDATION_ERROR for malformed, excessive or non-UTF-8 text. */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new ApiError('VALIDATION_ERROR', { message: 'The body is not valid UTF-8.' });
  const excess = excessIn(body);
  if (excess) throw invalid('body', excess);
  try {
    return JSON.parse(body.toString());
  } catch (error) {
    const message = `The body is not valid JSON: ${(error as Error).message}`;
    throw new ApiError('VALIDATION_ERROR', { message });
  }
}
