import { once } from 'node:events';
import net from 'node:net';
import { expect, it } from '@jest/globals';
import { connectNats } from '../src/events/nats.ts';
import { createLogger } from '../src/process/logger.ts';
import { natsServersOf } from '../src/process/nats-servers.ts';

it('leaves a hanging node for another one', async () => {
  const url = String(process.env['NATS_URL']);
  const target = new URL(url);
  let connections = 0;
  const sockets: net.Socket[] = [];
  // The library tries several servers in random order; so one address hangs at first and then works.
  const server = net.createServer((client) => {
    connections += 1;
    sockets.push(client);
    client.on('error', () => undefined);
    if (connections === 1) return;
    const store = net.connect(Number(target.port), target.hostname);
    sockets.push(store);
    store.on('error', () => undefined);
    client.pipe(store).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const nats = connectNats({
    servers: natsServersOf(`nats://127.0.0.1:${port}`),
    name: 'test',
    log: createLogger('test', 'silent'),
  });
  try {
    await new Promise<void>((resolve) => nats.onConnect(() => resolve()));
    expect(connections).toBeGreaterThan(1);
  } finally {
    await nats.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
