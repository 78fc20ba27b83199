import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { connectNats, type Nats } from '../src/events/nats.ts';
import { natsServersOf } from '../src/process/nats-servers.ts';

const url = String(process.env['NATS_URL']);
/** Twice the same, because a product in this process may use the plain URL. */
const servers = natsServersOf(`${url},${url}`);
const open = (name: string) => connectNats({ servers, name, log: pino({ level: 'silent' }) });
const connected = (nats: Nats) => new Promise<void>((resolve) => nats.onConnect(() => resolve()));

/** Null when the subscription ends before. */
async function firstMessage(nats: Nats): Promise<string | null> {
  for await (const message of nats.subscribe('shared')) return message.string();
  return null;
}

it('Services of a process share a connection, which the last of them closes', async () => {
  const [first, second] = [open('first'), open('second')];
  await Promise.all([connected(first), connected(second)]);
  const connection = second.connection()!;
  expect(first.connection()).toBe(connection);
  const [heardByFirst, heardBySecond] = [firstMessage(first), firstMessage(second)];
  const connects = { first: 0, second: 0 };
  first.onConnect(() => {
    connects.first += 1;
  });

  await first.close();
  await first.close();
  expect(await heardByFirst).toBeNull();
  connection.publish('shared', 'news');
  expect(await heardBySecond).toBe('news');
  expect(first.connection()).toBeNull();
  const reconnected = new Promise<void>((resolve) => {
    second.onConnect(() => {
      connects.second += 1;
      if (connects.second === 2) resolve();
    });
  });
  await connection.reconnect();
  await reconnected;
  expect(connects.first).toBe(1);

  await second.close();
  expect(connection.isClosed()).toBe(true);
  const third = open('third');
  await connected(third);
  expect(third.connection()).not.toBe(connection);
  await third.close();
});
