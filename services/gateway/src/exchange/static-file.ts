import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Exchange } from './exchange.ts';
import { sendFile } from './respond.ts';

/** A file in every content coding that browsers may ask for. */
export interface StaticFile {
  type: string;
  plain: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

const BROTLI_QUALITY = 9;
const ALREADY_COMPRESSED = new Set(['image/png', 'font/woff2']);

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Brotli takes seconds for a file of megabytes; `withBrotli` is for smaller ones. */
export async function compressFile(type: string, plain: Buffer, withBrotli: boolean): Promise<StaticFile> {
  if (ALREADY_COMPRESSED.has(type)) return { type, plain };
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return {
    type,
    plain,
    gzip: await compressGzip(plain),
    ...(withBrotli && { br: await compressBrotli(plain, { params }) }),
  };
}

/** Sends the file in the best coding that the client accepts. */
export function sendStaticFile(
  exchange: Exchange,
  file: StaticFile,
  options: { headers?: readonly string[]; cacheControl: string; policy?: string },
): void {
  const accepted = (exchange.request.headers['accept-encoding'] ?? '').split(',').map(codingOf);
  const coding = (['br', 'gzip'] as const).find((name) => file[name] && accepted.includes(name));
  sendFile(exchange, {
    ...options,
    type: file.type,
    body: coding ? file[coding]! : file.plain,
    headers: [
      ...(options.headers ?? []),
      ...['Vary', 'Accept-Encoding'],
      ...(coding ? ['Content-Encoding', coding] : []),
    ],
  });
}

/** The coding that one item of Accept-Encoding accepts; `br;q=0` accepts none. */
function codingOf(item: string): string {
  const [coding = '', ...parameters] = item.trim().toLowerCase().split(';');
  const refused = parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
  return refused ? '' : coding.trim();
}
