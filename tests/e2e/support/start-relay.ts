import http from 'node:http';

/** A proxy between a browser and the product that can cut its event streams like a bad network. */
export interface Relay {
  url: string;
  /** The event streams: the Last-Event-ID of each request and the text that it received. */
  streams: { lastEventId: string | undefined; told: string }[];
  /** Cuts the event streams and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  stop(): Promise<void>;
}

export async function startRelay(target: string): Promise<Relay> {
  const streams: Relay['streams'] = [];
  const open = new Set<http.ServerResponse>();
  let isCut = false;

  const server = http.createServer((incoming, response) => {
    const { method, headers, url: path = '/' } = incoming;
    const isStream = path.startsWith('/v1/events');
    if (isStream && isCut) return void response.destroy();
    const onward = http.request(target + path, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
      if (!isStream) return;
      const stream = { lastEventId: headers['last-event-id'] as string | undefined, told: '' };
      streams.push(stream);
      answer.on('data', (chunk: Buffer) => {
        stream.told += chunk;
      });
      open.add(response);
      response.on('close', () => open.delete(response));
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    streams,
    cut() {
      isCut = true;
      for (const response of open) response.destroy();
    },
    mend() {
      isCut = false;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
