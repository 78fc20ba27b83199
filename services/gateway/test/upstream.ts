import http from 'node:http';
import type { Socket } from 'node:net';

export interface Seen {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** A test double of a service. A test makes it answer, hang, reset or send slowly. */
export interface Upstream {
  url: string;
  seen: Seen[];
  /** Requests whose connection the gateway gave up before they were answered. */
  aborted: number;
  respond: (request: http.IncomingMessage, response: http.ServerResponse) => void;
  /** Closes the port and every connection at once, so that connecting is refused from then on. */
  kill(): Promise<void>;
  revive(): Promise<void>;
}

/** Answers with an empty list once the request has arrived. */
export function answerEmpty(request: http.IncomingMessage, response: http.ServerResponse): void {
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end('{"decisions":[]}');
  });
}

export async function startUpstream(): Promise<Upstream> {
  const sockets = new Set<Socket>();
  let server: http.Server;
  let port = 0;

  function listen(): Promise<void> {
    server = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      const seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: '',
      };
      request.on('end', () => {
        seen.body = Buffer.concat(chunks).toString();
        upstream.seen.push(seen);
      });
      response.on('close', () => {
        if (!response.writableFinished) upstream.aborted += 1;
      });
      upstream.respond(request, response);
    });
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    return new Promise((resolve) => {
      server.listen(port, '127.0.0.1', () => {
        port = (server.address() as { port: number }).port;
        resolve();
      });
    });
  }

  const upstream: Upstream = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    seen: [],
    aborted: 0,
    respond: answerEmpty,
    async kill() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
    revive: listen,
  };
  await listen();
  return upstream;
}
