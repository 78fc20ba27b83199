import { once } from 'node:events';
import net from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { isUnavailable, openConnections } from '../src/store/database.ts';
import { inTransaction } from '../src/store/in-transaction.ts';
import { testDatabase } from './test-database.ts';

const mongoUrl = new URL(String(process.env['MONGODB_URL']));
/** Event loop turns that cover every phase of a closing connection. */
const TURNS = 20;

/** A proxy between the driver and MongoDB that ends connections as a killed server does. */
const connections = new Set<net.Socket>();
const relay = net.createServer((client) => {
  const store = net.connect(Number(mongoUrl.port), mongoUrl.hostname);
  connections.add(client);
  client.on('error', () => undefined).on('close', () => store.destroy());
  store.on('error', () => undefined).on('close', () => connections.delete(client.destroy()));
  client.pipe(store).pipe(client);
});
relay.listen(0, '127.0.0.1');
await once(relay, 'listening');
const { port } = relay.address() as net.AddressInfo;
const database = await testDatabase('writes', `mongodb://127.0.0.1:${port}/?directConnection=true`);
afterAll(() => void relay.close());

const document = { text: 'more than a socket takes at once'.repeat(10_000) };
const commands: Record<string, () => Promise<unknown>> = {
  read: () => database.collection('samples').findOne({ text: 'none' }),
  write: () => database.collection('samples').insertOne({}),
  'long write': () => database.collection('samples').insertOne({ ...document }),
  transaction: () =>
    inTransaction(database.client, (session) =>
      database.collection('samples').insertMany([{ ...document }], { session }),
    ),
};
const endOf = (command: Promise<unknown>) =>
  command.then(
    () => 'done',
    (error: unknown) => (isUnavailable(error) ? 'away' : error),
  );

describe.each(Object.keys(commands))('a %s on a connection', (kind) => {
  it.each([
    ['ends', (connection: net.Socket) => connection.end()],
    ['is closed', (connection: net.Socket) => connection.destroy()],
    ['is reset', (connection: net.Socket) => connection.resetAndDestroy()],
  ])('that %s settles at every point in time', async (_, end) => {
    await Promise.all([endOf(openConnections(database.db)), endOf(commands[kind]!())]);
    for (const connection of connections) end(connection);
    const ends: Promise<unknown>[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      ends.push(endOf(commands[kind]!()));
      await setImmediate();
    }
    expect(['done', 'away']).toEqual(expect.arrayContaining(await Promise.all(ends)));
  });
});
