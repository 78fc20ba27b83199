import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports of outgoing connections (from 32768 on Linux). Such a connection could take a store's port
// between its kill and its restart, or connect to itself while the store is down.
const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 32_000;
const ATTEMPTS = 200;
/** Each Jest worker has its own range, so that no other worker takes a port before this one listens on it. */
const RANGES = 4;

const handedOut = new Set<number>();

/** Returns a TCP port on 127.0.0.1 that nothing listens on and that this function has not returned before. */
export async function freePort(): Promise<number> {
  const size = Math.floor((HIGHEST_PORT - LOWEST_PORT) / RANGES);
  const lowest = LOWEST_PORT + (Number(process.env['JEST_WORKER_ID'] ?? 0) % RANGES) * size;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(lowest, lowest + size);
    if (handedOut.has(port) || !(await canListen(port))) continue;
    handedOut.add(port);
    return port;
  }
  throw new Error(`found no free port between ${lowest} and ${lowest + size}`);
}

/** Reports whether a server could listen on the port now. */
export function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)));
  });
}
