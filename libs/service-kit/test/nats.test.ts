import { expect, it } from '@jest/globals';
import { connectNats } from '../src/events/nats.ts';
import { createLogger } from '../src/process/logger.ts';
import { natsServersOf } from '../src/process/nats-servers.ts';

const open = () =>
  connectNats({
    servers: natsServersOf(String(process.env['NATS_URL'])),
    name: 'test',
    log: createLogger('test', 'silent'),
  });

it('calls a task at once if connected and at each reconnect, and ends its subscriptions at close', async () => {
  const nats = open();
  await new Promise<void>((resolve) => nats.onConnect(() => resolve()));
  let calls = 0;
  let called = Promise.withResolvers<void>();
  nats.onConnect(() => {
    calls += 1;
    called.resolve();
  });
  await called.promise;
  called = Promise.withResolvers();
  await nats.connection()!.reconnect();
  await called.promise;
  expect(calls).toBe(2);
  const messages = Array.fromAsync(nats.subscribe('nobody.publishes'));
  await nats.close();
  await nats.close();
  expect(await messages).toEqual([]);
  expect(nats.connection()).toBeNull();
});

it('reconnects at once after this machine’s clock was set back', async () => {
  const { now } = Date;
  Date.now = () => now() + 3_600_000;
  const nats = open();
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
