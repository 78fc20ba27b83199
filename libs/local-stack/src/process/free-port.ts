import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

interface PortRange {
  lowest: number;
  blocks: number;
  blockSize: number;
}

// Below the ports of outgoing connections (from 32768 on Linux). Such a connection could take a store's port
// between its kill and its restart, or connect to itself while the store is down.
const PORTS: PortRange = { lowest: 15_000, blocks: 68, blockSize: 250 };

/**
 * Returns a TCP port on 127.0.0.1 that nothing listens on, and that it has not returned before. Until this
 * process ends no other one gets it: the port may wait for its first listener, or for its restart.
 */
export const freePort = portSource(PORTS);

const reserved = new Set<number>();

/** Keeps freePort from using a port that was chosen for a server that does not listen yet. */
export function reservePort(port: number): void {
  reserved.add(port);
}

/** Returns a function as freePort for the ports of a range, of which it claims one block after the other. */
export function portSource({ lowest, blocks, blockSize }: PortRange): () => Promise<number> {
  let next = 0;
  let end = 0;
  let claiming: Promise<void> | undefined;

  /** Claims a block by listening on its first port until the process ends. */
  async function claimBlock(): Promise<void> {
    const begin = randomInt(blocks);
    for (let nth = 0; nth < blocks; nth += 1) {
      const first = lowest + ((begin + nth) % blocks) * blockSize;
      const guard = reserved.has(first) ? null : await listenOn(first);
      if (!guard) continue;
      guard.unref();
      next = first + 1;
      end = first + blockSize;
      return;
    }
    throw new Error(`found no free port between ${lowest} and ${lowest + blocks * blockSize}`);
  }

  return async () => {
    for (;;) {
      while (next === end) {
        claiming ??= claimBlock().finally(() => (claiming = undefined));
        await claiming;
      }
      const port = next++;
      if (!reserved.has(port) && (await canListen(port))) return port;
    }
  };
}

/** Reports whether a server could listen on the port now. */
export async function canListen(port: number): Promise<boolean> {
  const server = await listenOn(port);
  return server !== null && new Promise((closed) => server.close(() => closed(true)));
}

/** Listens on the port. Resolves with null if something else does. */
function listenOn(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1' }, () => resolve(server));
  });
}
