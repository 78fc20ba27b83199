import type { IncomingMessage } from 'node:http';
import { ApiError, bodyBytesMax, type Operation } from '@waymark/contracts';

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
