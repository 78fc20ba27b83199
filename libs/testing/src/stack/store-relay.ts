import { once } from 'node:events';
import net from 'node:net';

/** Stands between a service and a store, to break connections off where it hurts most. */
export interface StoreRelay {
  /** In place of the store's own. */
  url: string;
  /** Breaks off, once, the connection that is about to tell the store `text`, which the store never gets whole. */
  breakOffAt(text: string): void;
  /** Whether the last `breakOffAt` has come to pass. */
  hasBrokenOff(): boolean;
  /** Breaks all connections off; new ones are taken. */
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
      const told = before + chunk.toString('latin1');
      if (awaited !== null && told.includes(awaited)) {
        awaited = null;
        client.destroy();
        return;
      }
      before = awaited === null ? '' : told.slice(-awaited.length);
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
