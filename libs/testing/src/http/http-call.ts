import http from 'node:http';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Set-Cookie lines, which cannot be joined into one header. */
  cookies: string[];
  text: string;
  /** The parsed body when it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
}

export interface CallInput {
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  /** Sent unchanged in place of `body`. */
  rawBody?: string | Buffer;
  headers?: Record<string, string>;
  /** A socket pool to reuse; without it, every call opens a new connection. */
  agent?: http.Agent;
}

const SHOWN_ANSWERS = 3;
const SHOWN_CHARACTERS = 300;
let lastAnswers: string[] = [];

/** Returns the last answers since the last call, a line each: most tests compare only a status. */
export function takeLastAnswers(): string[] {
  const taken = lastAnswers;
  lastAnswers = [];
  return taken;
}

/** Sends one HTTP request over node:http with exactly the given headers and body. */
export function httpCall(base: string, method: string, path: string, input: CallInput = {}): Promise<Answer> {
  const url = new URL(base + path);
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) url.searchParams.append(name, String(value));
  }
  const payload = input.rawBody ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method,
      agent: input.agent ?? false,
      headers: {
        ...(payload !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
        ...input.headers,
      },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('aborted', () => reject(new Error('the answer was cut off')));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.startsWith('application/json');
        const shown = `${method} ${url.pathname} ${response.statusCode} ${text.slice(0, SHOWN_CHARACTERS)}`;
        lastAnswers = [...lastAnswers, shown].slice(-SHOWN_ANSWERS);
        const { 'set-cookie': cookies = [], ...rest } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          headers: rest as Record<string, string>,
          cookies,
          text,
          body: isJson && text !== '' ? JSON.parse(text) : undefined,
        });
      });
    });
    request.end(payload);
  });
}
