import { describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { type Collection, MongoClient } from 'mongodb';
import { startMongo, startNats, startRedis } from '../src/index.ts';
import { acquire, temporaryFolders } from './temporary.ts';

const temporary = temporaryFolders();

async function withNotes<T>(url: string, work: (notes: Collection) => Promise<T>): Promise<T> {
  const client = new MongoClient(url);
  try {
    return await work(client.db('crash').collection('notes'));
  } finally {
    await client.close();
  }
}
const notesIn = (url: string) => withNotes(url, (notes) => notes.find().project({ _id: 0 }).toArray());
const addNote = (url: string, text: string) => withNotes(url, (notes) => notes.insertOne({ text }));

describe('a store that is killed', () => {
  it('MongoDB restarts on the same port with all acknowledged writes', async () => {
    const mongo = await startMongo({ binary: await acquire('mongo'), dataDir: temporary('mongo') });
    const { url, pid } = mongo;
    await addNote(url, 'before');
    await mongo.kill();
    expect(await mongo.exited).toMatchObject({ signal: 'SIGKILL' });
    await mongo.restart();
    expect(mongo.url).toBe(url);
    expect(mongo.pid).not.toBe(pid);
    await addNote(url, 'after');
    expect(await notesIn(url)).toEqual([{ text: 'before' }, { text: 'after' }]);
    await mongo.stop();
  });

  it('JetStream restarts on the same port with all acknowledged messages', async () => {
    const nats = await startNats({ binary: await acquire('nats'), dataDir: temporary('nats') });
    const first = await connect({ servers: nats.url, reconnect: false });
    await (await jetstreamManager(first)).streams.add({ name: 'crash', subjects: ['crash'] });
    await jetstream(first).publish('crash', 'before');
    await nats.kill();
    await first.closed();
    await nats.restart();
    const second = await connect({ servers: nats.url });
    const message = await (await jetstreamManager(second)).streams.getMessage('crash', { seq: 1 });
    expect(message?.string()).toBe('before');
    await second.close();
    await nats.stop();
  });
});

describe('the data folder', () => {
  it('of MongoDB works on another port', async () => {
    const binary = await acquire('mongo');
    const dataDir = temporary('moved');
    const first = await startMongo({ binary, dataDir });
    await addNote(first.url, 'kept');
    await first.stop();
    const second = await startMongo({ binary, dataDir });
    expect(second.port).not.toBe(first.port);
    expect(await notesIn(second.url)).toEqual([{ text: 'kept' }]);
    await second.stop();
  });

  it('is refused while another store uses it', async () => {
    const options = { binary: await acquire('redis'), dataDir: temporary('shared') };
    const redis = await startRedis(options);
    await expect(startRedis(options)).rejects.toThrow(
      `redis: ${options.dataDir} is in use by process ${process.pid}`,
    );
    await redis.stop();
    await (await startRedis(options)).stop();
  });
});
