import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { unfinishedRestores } from '@waymark/service-kit/store';
import { BSON, Collection, MongoClient } from 'mongodb';
import { restore } from './backup.ts';
import { writeManifest } from './manifest.ts';
import { openPlace } from './place.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-damaged-backup-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a damaged file of a backup', () => {
  it.each([
    ['a document without a length', Buffer.alloc(8), 'is not BSON'],
    ['a document that claims two gigabytes', Buffer.from([0xff, 0xff, 0xff, 0x7f, 0, 0]), 'is not BSON'],
    ['half a document', Buffer.from([9, 0, 0, 0, 0, 0]), 'ends inside a document'],
  ])('is refused: %s', async (_, bytes, message) => {
    const place = await openPlace(await mkdtemp(join(folder, 'damaged-')), {});
    await place.write('transfer/broken.bson.gz', Readable.from([gzipSync(bytes)]));
    const counts = { transfer: { broken: 1 } };
    await writeManifest(place, { format: 1, taken_at: '2026-11-23T03:17:00.000Z', counts });
    const target = { transfer: { url: String(process.env['MONGODB_URL']), database: `t${newId()}` } };
    await expect(restore(place, target)).rejects.toThrow(message);
  });
});

it('a restore that ended between its databases is finished by the command that the error names', async () => {
  const url = String(process.env['MONGODB_URL']);
  const names = ['audit', 'search'];
  const targets = Object.fromEntries(names.map((name) => [name, { url, database: `t${newId()}_${name}` }]));
  const place = await openPlace(await mkdtemp(join(folder, 'filled-')), {});
  for (const name of names)
    await place.write(`${name}/kept.bson.gz`, Readable.from([gzipSync(BSON.serialize({ _id: name }))]));
  const counts = Object.fromEntries(names.map((name) => [name, { kept: 1 }]));
  await writeManifest(place, { format: 1, taken_at: '2026-11-23T03:17:00.000Z', counts });
  const again = (isAgain: boolean) =>
    restore(place, targets, { use: { again: isAgain, command: 'again', complete: async () => undefined } });

  const drop = Collection.prototype.drop;
  jest.spyOn(Collection.prototype, 'drop').mockImplementation(function (this: Collection) {
    if (this.dbName === targets['search']!.database) throw new Error('killed');
    return drop.call(this);
  });
  await expect(again(false)).rejects.toThrow('killed');
  jest.restoreAllMocks();

  const mongo = new MongoClient(url);
  const databases = names.map((name) => mongo.db(targets[name]!.database));
  const marked = () =>
    Promise.all(databases.map(async (db) => (await unfinishedRestores(db).findOne()) !== null));
  try {
    expect(await marked()).toEqual([false, true]);
    await again(true);
    expect(await marked()).toEqual([false, false]);
    for (const db of databases) expect(await db.collection('kept').countDocuments()).toBe(1);
    await expect(again(true)).rejects.toThrow('is not empty');
  } finally {
    for (const db of databases) await db.dropDatabase();
    await mongo.close();
  }
});

it('a restore beside another one of the same databases waits for it, and changes nothing then', async () => {
  const url = String(process.env['MONGODB_URL']);
  const database = `t${newId()}`;
  const place = await openPlace(await mkdtemp(join(folder, 'beside-')), {});
  await place.write('search/kept.bson.gz', Readable.from([gzipSync(BSON.serialize({ _id: 'kept' }))]));
  const counts = { search: { kept: 1 } };
  await writeManifest(place, { format: 1, taken_at: '2026-11-23T03:17:00.000Z', counts });
  const begin = (again: boolean, complete: () => Promise<void>, onLine = (_: string): unknown => undefined) =>
    restore(place, { search: { url, database } }, { use: { again, command: 'again', complete }, onLine });

  const filled = Promise.withResolvers<void>();
  const waits = Promise.withResolvers<void>();
  const first = begin(false, async () => {
    filled.resolve();
    await waits.promise;
  });
  await filled.promise;
  const second = begin(
    true,
    () => Promise.reject(new Error('killed')),
    (line) => line.startsWith('waiting for another restore') && waits.resolve(),
  );
  await expect(Promise.all([second, first])).rejects.toThrow(`${database}.kept is not empty`);
  await first;
  const mongo = new MongoClient(url);
  try {
    expect(await unfinishedRestores(mongo.db(database)).findOne()).toBeNull();
    expect(await mongo.db(database).collection('kept').countDocuments()).toBe(1);
  } finally {
    await mongo.db(database).dropDatabase();
    await mongo.close();
  }
});

it.each(['/proc/waymark/x', '/dev/null/x'])('a backup to %s fails at once', async (name) => {
  const place = await openPlace(name, {});
  await expect(place.write('a/b', Readable.from(['x']))).rejects.toThrow(/^(ENOENT|ENOTDIR|EPERM|EACCES)/);
});
