import { createClient } from 'redis';
import type { RedisServers } from './redis-servers.ts';

const TIMEOUT_MS = 1_000;

/** Options of a client that connects once, and fails if the server is slow. */
export function onceTo(server: RedisServers['servers'][number], servers: RedisServers, timeoutMs: number) {
  const { servers: _, tls, ...access } = servers;
  const timeouts = { connectTimeout: timeoutMs, socketTimeout: timeoutMs };
  const socket = { ...server, ...timeouts, reconnectStrategy: false as const };
  return { ...access, socket: tls ? { ...socket, tls } : socket };
}

/** Asks all sentinels where the master with this name is, and takes the first answer. */
export const masterOf = (name: string, sentinels: RedisServers) =>
  Promise.any(sentinels.servers.map((server) => ask(name, onceTo(server, sentinels, TIMEOUT_MS))));

async function ask(name: string, options: ReturnType<typeof onceTo>) {
  const client = createClient(options);
  // The call rejects with the same error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const address = await client.sendCommand<string[] | null>(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name]);
    if (!address) throw new Error(`the sentinel knows no master ${name}`);
    return { host: address[0]!, port: Number(address[1]) };
  } finally {
    if (client.isOpen) client.destroy();
  }
}
