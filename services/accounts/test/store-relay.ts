import { once } from 'node:events';
import net from 'node:net';

/** A TCP proxy between a service and a store that can break connections at a chosen moment. */
export interface StoreRelay {
  /** Use it in place of the store's own URL. */
  url: string;
  /** Closes the next connection that sends `text`, before the store receives all of it. */
  breakOffAt(text: string): void;
  /** Reports whether the last `breakOffAt` has closed a connection. */
  hasBrokenOff(): boolean;
  /** Closes all connections; new ones are accepted. */
  breakAllOff(): void;
  stop(): Promise<void>;
}

export async function startStoreRelay(storeUrl: string): Promise<StoreRelay> {
  const target = new URL(storeUrl);
  const sockets = new Set<net.Socket>();
  let awaited: string | null = null;

  const server = net.createServer((client) => {
    const store = net.connect(Number(target.port), target.hostname);
    let before = '';
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        store.destroy();
      });
    }
    store.pipe(client);
    client.on('data', (chunk) => {
      const sent = before + chunk.toString('latin1');
      if (awaited !== null && sent.includes(awaited)) {
        awaited = null;
        client.destroy();
        return;
      }
      before = awaited === null ? '' : sent.slice(-awaited.length);
      store.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const breakAllOff = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `${target.protocol}//127.0.0.1:${port}`,
    breakOffAt(text) {
      awaited = text;
    },
    hasBrokenOff: () => awaited === null,
    breakAllOff,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      breakAllOff();
      await closed;
    },
  };
}
