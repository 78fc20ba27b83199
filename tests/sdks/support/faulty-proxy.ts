import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the proxy may answer instead of passing a request on: sdks/README.md. */
const REFUSALS: Record<string, { status: number; error: string; retryAfter?: number; more?: object }> = {
  '429': { status: 429, error: 'RATE_LIMITED', retryAfter: 1 },
  '500': { status: 500, error: 'INTERNAL_ERROR' },
  '503': { status: 503, error: 'SERVICE_UNAVAILABLE', retryAfter: 1 },
  later: { status: 429, error: 'RATE_LIMITED', retryAfter: 3600 },
  newer: {
    status: 418,
    error: 'FROM_A_NEWER_SERVER',
    more: { reason: 'newer', issues: [{ path: 'title', message: 'Too new.', any: 1 }], any: { more: 1 } },
  },
};

/** A request that reached the proxy. */
export interface Attempt {
  atMs: number;
  /** What it got; `passed` is the answer of the product. */
  answer: string;
  idempotencyKey: string | undefined;
}

export interface FaultyProxy {
  url: string;
  /** The requests with this path below the address of the proxy: `/<who>/<step>`. */
  attempts(path: string): Attempt[];
  stop(): Promise<void>;
}

/** Starts a proxy that answers requests to `/<who>/<step>/<answers>/…` as their path says. */
export async function startFaultyProxy(productUrl: string): Promise<FaultyProxy> {
  const seen = new Map<string, Attempt[]>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, who, step, answers = '', ...rest] = request.url!.split('/');
    const path = `/${who}/${step}`;
    const attempts = seen.get(path) ?? [];
    seen.set(path, attempts);
    const next = answers.split(',')[attempts.length] ?? 'passed';
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
    attempts.push({ atMs: performance.now(), answer: next, idempotencyKey });
    const body = Buffer.concat(await request.toArray());
    const refusal = REFUSALS[next];
    if (refusal) return refuse(response, refusal);
    const passed = await fetch(`${productUrl}/${rest.join('/')}`, {
      method: request.method!,
      headers: headersOf(request),
      ...(body.length > 0 && { body }),
    });
    const content = Buffer.from(await passed.arrayBuffer());
    if (next === 'cut') return void response.destroy();
    response.writeHead(passed.status, { 'content-type': passed.headers.get('content-type') ?? 'text/plain' });
    response.end(content);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    attempts: (path) => seen.get(path) ?? [],
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refuse(response: ServerResponse, refusal: (typeof REFUSALS)[string]): void {
  const { status, error, retryAfter, more } = refusal;
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  response.writeHead(status, { 'content-type': 'application/json', ...wait });
  const message = 'Refused by the proxy of the test.';
  response.end(JSON.stringify({ error, message, docs: `/docs/errors/${error}`, ...more }));
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = ['authorization', 'content-type', 'idempotency-key', 'if-match'];
  return Object.fromEntries(kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}
