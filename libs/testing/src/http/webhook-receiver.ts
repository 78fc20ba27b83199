import { once } from 'node:events';
import http from 'node:http';

/** A request as it arrived. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  rawBody: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads of every shape
  body: any;
}

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
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = [];
  let choose: (request: ReceivedRequest, n: number) => Behaviour = () => answer();
  let chosen = 0;
  let open = 0;

  const server = http.createServer(async (incoming, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    const chunks = await incoming.toArray().catch(() => null);
    // The sender aborted the request.
    if (!chunks) return;
    const rawBody = Buffer.concat(chunks);
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
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('close', () => {
      connections -= 1;
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    requests,
    open: () => open,
    connections: () => connections,
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
