import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetworks } from '@waymark/service-kit/http';
import { createAdmission } from '@waymark/service-kit/jobs';
import type { Logger, Metrics } from '@waymark/service-kit/process';
import { addressList, isListed, plainAddress } from './client-address.ts';

const CONNECTIONS = 16_384;
/** Open files for stores, services and webhooks; at most half of all. */
const OTHER_FILES = 4_096;
/** A browser opens six. */
const SMALL = 16;

/** Returns how many files this process may open: Node raises the limit to the hard one. */
export function openFilesMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    // Only Linux has the file.
    return Number.POSITIVE_INFINITY;
  }
}

/** Each connection needs an open file. */
const connectionsOf = (files: number) =>
  Math.min(CONNECTIONS, Math.floor(Math.max(files / 2, files - OTHER_FILES)));

/**
 * Bounds the connections of clients: one beyond the share of its network is closed, before a request of it is
 * read. Those of trusted proxies are not counted.
 */
export function boundConnections(
  server: Server,
  {
    metrics,
    trustedProxies,
    files,
    log,
  }: {
    metrics: Pick<Metrics, 'admission'>;
    trustedProxies: readonly string[];
    files: number;
    log: Pick<Logger, 'warn'>;
  },
): void {
  const total = connectionsOf(files);
  if (total < CONNECTIONS) {
    const message = `clients get ${total} connections, because this process may open ${files} files (ulimit -n)`;
    log.warn(
      { connections: total, files },
      `${message}; with ${CONNECTIONS + OTHER_FILES} they get ${CONNECTIONS}`,
    );
  }
  const proxies = addressList(trustedProxies);
  const places = createAdmission({
    ...metrics.admission('connections'),
    what: 'connections',
    total,
    small: SMALL,
  });
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (isListed(proxies, address)) return;
    try {
      socket.once('close', places.enter(clientNetworks(address)));
    } catch {
      socket.destroy();
    }
  });
}
