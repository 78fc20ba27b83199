import http from 'node:http';
import net from 'node:net';
import { expect } from '@jest/globals';

/** A request on its own connection, whose body the test sends. */
export interface BegunRequest {
  request: http.ClientRequest;
  /** Resolves once the headers of the answer have arrived; the test reads the body. */
  response: Promise<http.IncomingMessage>;
  /** Reads the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  answer(): Promise<{ status: number; headers: http.IncomingHttpHeaders; body: any }>;
  /** Resolves once the gateway has asked for the body by "100 Continue". */
  asked: Promise<true>;
}

/** Begins a request: `request.write` and `end` send its body, `flushHeaders` only its headers. */
export function begin(url: string, method: string, headers: Record<string, string>): BegunRequest {
  const request = http.request(url, { method, agent: false, headers });
  const response = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject);
  });
  // A test that ends a request does not wait for its answer.
  response.catch(() => undefined);
  async function answer() {
    const incoming = await response;
    const text = Buffer.concat(await incoming.toArray()).toString();
    const body = text === '' ? undefined : JSON.parse(text);
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body };
  }
  const asked = new Promise<true>((resolve) => request.on('continue', () => resolve(true)));
  return { request, response, answer, asked };
}

export interface RawAnswer {
  askedAtMs: number;
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: error bodies
  body: any;
}

/** Sends raw bytes to the gateway's port and reads until the gateway closes the connection. */
export function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const askedAtMs = Date.now();
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n', 2);
      const [statusLine = '', ...lines] = head.split('\r\n');
      const headers = lines.map((line) => line.split(/: (.*)/, 2) as [string, string]);
      resolve({
        askedAtMs,
        status: Number(statusLine.split(' ')[1]),
        headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
        body: body === '' ? undefined : JSON.parse(body),
      });
    });
    socket.write(bytes);
  });
}

/** Checks the parts that every answer has, including Node's own refusals. */
export function expectWhole(answer: RawAnswer, status: number, code: string): void {
  expect([answer.status, answer.body?.error]).toEqual([status, code]);
  if (code === 'VALIDATION_ERROR') expect(answer.body.issues).toHaveLength(1);
  expect(answer.body.requestId).toBe(answer.headers['x-request-id']);
  expect(answer.headers['x-api-version']).toBe('v1');
  expect(Number(answer.headers['x-ratelimit-limit'])).toBeGreaterThan(0);
  expect(Number(answer.headers['x-ratelimit-remaining'])).toBeGreaterThanOrEqual(0);
  expect(Number(answer.headers['x-ratelimit-reset']) * 1_000).toBeGreaterThan(answer.askedAtMs);
  expect(answer.headers['ratelimit-policy']).toContain('"address"');
  expect(answer.headers['ratelimit']).toContain('"address"');
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
}
