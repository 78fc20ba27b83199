import { once } from 'node:events';
import type http from 'node:http';
import https from 'node:https';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { AdminServer } from './admin-server.ts';

/** Listens on `host`, or on every address without one, and returns the base URL. */
export async function listen(server: http.Server, host: string | undefined, port: number): Promise<string> {
  // Longer than the keep-alive of any caller.
  server.keepAliveTimeout = 75_000;
  server.requestTimeout = 0;
  await once(server.listen(port, host), 'listening');
  const bound = (server.address() as { port: number }).port;
  const scheme = server instanceof https.Server ? 'https' : 'http';
  return `${scheme}://${host === undefined || host === '0.0.0.0' ? '127.0.0.1' : host}:${bound}`;
}

/** The limit for the whole drain, so that the process ends before it is killed. */
const DRAIN_LIMIT_MS = 17_000;
const IN_FLIGHT_LIMIT_MIN_MS = 1_000;
/** Turns of the event loop: one accepts a connection, one reads its request. */
const EVENT_LOOP_TURNS = 2;

/** Fails readiness, waits until the process has left rotation, and lets requests in flight finish. */
export async function drainServer(server: http.Server, admin: AdminServer, delayMs: number): Promise<void> {
  admin.drain();
  await delay(delayMs);
  // Node runs timers before it reads sockets. These turns accept the connections that have arrived.
  for (let turn = 0; turn < EVENT_LOOP_TURNS; turn += 1) await nextTurn();
  const inFlightLimitMs = Math.max(IN_FLIGHT_LIMIT_MIN_MS, DRAIN_LIMIT_MS - delayMs);
  const overdue = setTimeout(() => server.closeAllConnections(), inFlightLimitMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(overdue);
  await admin.close();
}
