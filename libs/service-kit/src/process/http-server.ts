import type http from 'node:http';
import type { AdminServer } from './admin-server.ts';

/**
 * Listens, without a host on every address, with keep-alive longer than any caller's, and returns the base
 * URL.
 */
export async function listen(server: http.Server, host: string | undefined, port: number): Promise<string> {
  server.keepAliveTimeout = 75_000;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as { port: number }).port;
  return `http://${host === undefined || host === '0.0.0.0' ? '127.0.0.1' : host}:${bound}`;
}

/** All of draining, so that the process ends before it is killed. */
const DRAIN_LIMIT_MS = 17_000;
const IN_FLIGHT_LIMIT_MIN_MS = 1_000;
/** One for a connection, one for its request. */
const TURNS_TO_TAKE = 2;

/**
 * Fails readiness, waits to leave rotation, lets what is in flight finish; a stream without end is cut off.
 */
export async function drainServer(server: http.Server, admin: AdminServer, delayMs: number): Promise<void> {
  admin.drain();
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  // Timers run before sockets are read: connections and requests that have arrived by now are taken before
  // any is closed.
  for (let turn = 0; turn < TURNS_TO_TAKE; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const inFlightLimitMs = Math.max(IN_FLIGHT_LIMIT_MIN_MS, DRAIN_LIMIT_MS - delayMs);
  const overdue = setTimeout(() => server.closeAllConnections(), inFlightLimitMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(overdue);
  await admin.close();
}
