import http from 'node:http';
import type { Socket } from 'node:net';

/** A request as it arrived. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  rawBody: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads of every shape
  body: any;
}

/** The behaviour of a receiver at a request. */
export type Behaviour = (request: ReceivedRequest, response: http.ServerResponse) => void;

/** Answers at once. */
export const answer =
  (status = 200, options: { headers?: http.OutgoingHttpHeaders; body?: string | Buffer } = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, options.headers).end(options.body ?? '');
  };

/** Never answers. */
export const hang = (): Behaviour => () => undefined;

const DRIP_MS = 5;

/** Sends an answer byte by byte without an end. */
export const drip =
  (status = 200): Behaviour =>
  (_, response) => {
    response.writeHead(status);
    const timer = setInterval(() => response.write('.'), DRIP_MS);
    response.on('close', () => clearInterval(timer));
  };

export const redirect = (to: string, status = 302): Behaviour =>
  answer(status, { headers: { location: to } });

/** Resets the connection without an answer. */
export const reset = (): Behaviour => (_, response) => {
  response.socket?.resetAndDestroy();
};

/** Announces more bytes than it sends, then closes. */
export const lie =
  (status = 200): Behaviour =>
  (_, response) => {
    response.writeHead(status, { 'content-length': '1000' });
    response.write('not a thousand bytes', () => response.socket?.destroy());
  };

export interface WebhookReceiver {
  /** http, on loopback. */
  url: string;
  /** Every request so far, oldest first. */
  requests: ReceivedRequest[];
  /** Requests that have been neither answered nor aborted. */
  open(): number;
  /** Open TCP connections. None remain once a sender has died and everything that it sent was read. */
  connections(): number;
  /** Changes the behaviour from now on. `behaveEach` chooses it for each request, `n` from 0. */
  behave(behaviour: Behaviour): void;
  behaveEach(choose: (request: ReceivedRequest, n: number) => Behaviour): void;
  stop(): Promise<void>;
}

/** An HTTP server in the role of a subscriber's endpoint. It answers 200 until `behave` is called. */
export async function startWebhookReceiver(options: { port?: number } = {}): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = [];
  let choose: (request: ReceivedRequest, n: number) => Behaviour = () => answer();
  let chosen = 0;
  let open = 0;

  const server = http.createServer(async (incoming, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    const rawBody = await readWhole(incoming);
    if (!rawBody) return;
    const isJson = incoming.headers['content-type'] === 'application/json';
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      rawBody,
      body: isJson ? JSON.parse(rawBody.toString()) : undefined,
    };
    requests.push(request);
    choose(request, chosen)(request, response);
    chosen += 1;
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    requests,
    open: () => open,
    connections: () => sockets.size,
    behave(behaviour) {
      choose = () => behaviour;
    },
    behaveEach(chooser) {
      chosen = 0;
      choose = chooser;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Reads a whole body; null when the sender aborted the request. */
async function readWhole(incoming: http.IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}
