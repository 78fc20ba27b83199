import { once } from 'node:events';
import net from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** A half-open network accepts connections and data, and delivers nothing. */
export type Network = 'fast' | 'slow' | 'half-open';

export interface TcpProxy {
  port: number;
  become(network: Network): void;
  stop(): Promise<void>;
}

const LATENCY_MS = 40;

/** Starts a TCP proxy before a port of this machine. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<net.Socket>();
  let network: Network = 'fast';

  async function* transfer(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (network === 'slow') await delay(LATENCY_MS);
      if (network !== 'half-open') yield chunk;
    }
  }

  function relay(from: net.Socket, to: net.Socket): void {
    sockets.add(from);
    from.setNoDelay(true);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    pipeline(from, transfer, to).catch(() => to.destroy());
  }

  const server = net.createServer((client) => {
    const target = net.connect({ port: targetPort, host: '127.0.0.1' });
    relay(client, target);
    relay(target, client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    become(next) {
      // A connection that has lost data cannot continue.
      if (network === 'half-open') reset();
      network = next;
    },
    async stop() {
      reset();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
