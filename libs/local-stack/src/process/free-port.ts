import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports that systems give to outgoing connections (from 32768 on Linux): such a connection could
// take a store's port between its kill and its restart, or connect to itself while the store is down.
const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 32_000;
const ATTEMPTS = 200;
/**
 * Each of Jest's workers has its own range: another could take a port between finding it and listening there.
 */
const RANGES = 4;

const handedOut = new Set<number>();

/** A TCP port on 127.0.0.1 that nothing listens on now and that this process has not been given before. */
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

/** Whether a server could listen there now. */
export function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)));
  });
}
