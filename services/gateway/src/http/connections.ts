import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetworks } from '@waymark/service-kit/http';
import { createAdmission } from '@waymark/service-kit/jobs';
import type { Metrics } from '@waymark/service-kit/process';
import { addressList, isListed, plainAddress } from './client-address.ts';

/** Each needs an open file, of which operating systems give a process a limited number. */
const CONNECTIONS = 16_384;
/** A browser opens six. */
const SMALL = 16;

/**
 * Bounds the connections of clients: one beyond the share of its network is closed, before a request of it is
 * read. Those of trusted proxies are not counted.
 */
export function boundConnections(
  server: Server,
  { metrics, trustedProxies }: { metrics: Pick<Metrics, 'admission'>; trustedProxies: readonly string[] },
): void {
  const proxies = addressList(trustedProxies);
  const places = createAdmission({
    ...metrics.admission('connections'),
    what: 'connections',
    total: CONNECTIONS,
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
