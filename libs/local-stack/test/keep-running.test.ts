import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { keepRunning, type StoreProcess, startMongo, startNats } from '../src/index.ts';
import { acquire, temporaryFolders } from './temporary.ts';

const temporary = temporaryFolders();
const CONTENT = new Uint8Array(100_000);

describe('keepRunning', () => {
  let nats: StoreProcess;
  let connection: NatsConnection;
  let release: () => void;
  const lines: string[] = [];
  const publish = () => jetstream(connection, { timeout: 1_000 }).publish('kept.event', CONTENT);
  const publishAgain = async (attempts = 1_000): Promise<void> => {
    await publish().catch(async (error: unknown) => {
      if (attempts === 0) throw error;
      await delay(50);
      await publishAgain(attempts - 1);
    });
  };

  beforeAll(async () => {
    nats = await startNats({ binary: await acquire('nats'), dataDir: temporary('kept') });
    connection = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    await (await jetstreamManager(connection)).streams.add({ name: 'kept', subjects: ['kept.>'] });
    release = keepRunning(nats, (line) => lines.push(line), { checkMs: 100 });
  });
  afterAll(async () => {
    release();
    await connection.close();
    await nats.stop();
  });

  it('restarts a store that was killed', async () => {
    const { pid } = nats;
    await nats.kill();
    await publishAgain();
    expect(nats.pid).not.toBe(pid);
    expect(lines).toEqual(['nats has ended; it is restarted']);
  });

  it('restarts a NATS that could not write for a while, with all acknowledged messages', async () => {
    const before = (await publish()).seq;
    // Like a full disk, and unlike it without a file system of its own: larger files are refused.
    execFileSync('prlimit', ['--pid', String(nats.pid), '--fsize=150000:unlimited']);
    await expect(publish().then(publish)).rejects.toThrow();
    await publishAgain();
    expect((await publish()).seq).toBeGreaterThan(before + 1);
    expect(lines.slice(1)).toEqual(['nats cannot write; it is restarted']);
  });
});

it('a MongoDB that was killed has all acknowledged writes after its restart', async () => {
  const mongo = await startMongo({ binary: await acquire('mongo'), dataDir: temporary('mongo') });
  const client = new MongoClient(mongo.url, { writeConcern: { w: 'majority' } });
  const notes = client.db('kept').collection('notes');
  const { insertedId: _id } = await notes.insertOne({ text: 'kept' });
  await mongo.kill();
  await mongo.restart();
  expect(await notes.find().toArray()).toEqual([{ _id, text: 'kept' }]);
  await client.close();
  await mongo.stop();
});
