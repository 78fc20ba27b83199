import { once } from 'node:events';
import net from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A half-open network accepts connections and data, and delivers nothing: neither data nor the end of a
 * connection. The connections of that time stay silent afterwards, as if the other machine had vanished.
 */
export type Network = 'fast' | 'slow' | 'half-open';

export interface TcpProxy {
  port: number;
  become(network: Network): void;
  /** Resets all connections. */
  reset(): void;
  stop(): Promise<void>;
}

interface Connection {
  isSilent: boolean;
  sockets: readonly [client: net.Socket, target: net.Socket];
}

const LATENCY_MS = 40;

/** Starts a TCP proxy before a port of this machine. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const connections = new Set<Connection>();
  let network: Network = 'fast';

  function relay(connection: Connection, from: net.Socket, to: net.Socket): void {
    async function* transfer(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        if (network === 'slow') await delay(LATENCY_MS);
        if (!connection.isSilent) yield chunk;
      }
      if (connection.isSilent) await new Promise(() => undefined);
    }
    from.setNoDelay(true);
    from.on('close', () => {
      if (connection.isSilent) return;
      connections.delete(connection);
      to.destroy();
    });
    pipeline(from, transfer, to).catch(() => to.destroy());
  }

  const server = net.createServer((client) => {
    const target = net.connect({ port: targetPort, host: '127.0.0.1' });
    const connection: Connection = { isSilent: network === 'half-open', sockets: [client, target] };
    connections.add(connection);
    relay(connection, client, target);
    relay(connection, target, client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  function reset(): void {
    for (const { sockets } of connections) for (const socket of sockets) socket.resetAndDestroy();
    connections.clear();
  }
  return {
    port: (server.address() as net.AddressInfo).port,
    become(next) {
      network = next;
      if (next === 'half-open') for (const connection of connections) connection.isSilent = true;
    },
    reset,
    async stop() {
      reset();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
