import { describe, expect, it } from '@jest/globals';
import { type Collection, MongoClient } from 'mongodb';
import { startMongo, startRedis } from '../src/index.ts';
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
