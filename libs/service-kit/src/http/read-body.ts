import type { IncomingMessage } from 'node:http';
import { ApiError, bodyBytesMax, limits, type Operation } from '@waymark/contracts';

/**
 * Returns the raw JSON body of a request. Throws PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE, and what
 * `onLarge` throws, which is called with the most bytes that a large body can have before they are read.
 */
export async function readBody(
  request: IncomingMessage,
  operation: Operation,
  onLarge: (bytes: number) => void,
): Promise<Buffer<ArrayBuffer>> {
  const limitBytes = bodyBytesMax(operation);
  const announced = Number(request.headers['content-length'] ?? limitBytes);
  if (announced > limitBytes) throw tooLarge(limitBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size <= limits.bodyBytes && size + chunk.length > limits.bodyBytes) onLarge(announced);
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
