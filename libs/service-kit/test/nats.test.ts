import { it } from '@jest/globals';
import { connectNats } from '../src/events/nats.ts';
import { createLogger } from '../src/process/logger.ts';
import { natsServersOf } from '../src/process/nats-servers.ts';

it('reconnects at once after this machine’s clock was set back', async () => {
  const { now } = Date;
  Date.now = () => now() + 3_600_000;
  const nats = connectNats({
    servers: natsServersOf(String(process.env['NATS_URL'])),
    name: 'test',
    log: createLogger('test', 'silent'),
  });
  let connected = Promise.withResolvers<void>();
  nats.onConnect(() => connected.resolve());
  try {
    await connected.promise;
    Date.now = now;
    connected = Promise.withResolvers();
    await nats.connection()?.reconnect();
    await connected.promise;
  } finally {
    Date.now = now;
    await nats.close();
  }
});
