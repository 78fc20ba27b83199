import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { version } from '@waymark/service-kit/process';
import { LOCK, unfinishedRestores } from '@waymark/service-kit/store';
import { BSON, Collection, type Db, MongoClient } from 'mongodb';
import { backUp, restore } from './backup.ts';
import { writeManifest } from './manifest.ts';
import { openPlace, type Place } from './place.ts';

/** The version that an upgrade over some minor versions leads to. */
function minorLater(count: number): string {
  const [major, minor] = version.split('.').map(Number);
  return `${major}.${minor! + count}.0`;
}

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

it('a disk that is full leaves a place that the error says to remove', async () => {
  const url = String(process.env['MONGODB_URL']);
  const database = `t${newId()}`;
  const mongo = new MongoClient(url);
  await mongo.db(database).collection('kept').insertOne({});
  const place = await openPlace(await mkdtemp(join(folder, 'full-')), {});
  const full = { ...place, write: () => Promise.reject(new Error('ENOSPC: no space left on device')) };
  await expect(backUp({ audit: { url, database } }, full)).rejects.toThrow(
    `ENOSPC: no space left on device; ${place.name} is no whole backup: remove it`,
  );
  await mongo.close();
});

it.each([
  ['9.0.0', /^\S+ was written by version 9\.0\.0: restore it with that, not \d+\.\d+\.\d+$/],
  [minorLater(2), / was written by version /],
  [minorLater(1), / lacks the database of transfer$/],
])('a backup of version %s is refused unless one minor version lies between', async (writtenBy, message) => {
  const place = await openPlace(await mkdtemp(join(folder, 'version-')), {});
  const taken_at = '2026-11-23T03:17:00.000Z';
  await writeManifest(place, { format: 1, version: writtenBy, taken_at, counts: {} });
  await expect(restore(place, { transfer: { url: '', database: '' } })).rejects.toThrow(message);
});

it('an identity that is none is named as the fault, not the backup, and not shown', async () => {
  const place = await openPlace(await mkdtemp(join(folder, 'identity-')), {});
  const counts = { transfer: { kept: 0 } };
  await writeManifest(place, { format: 1, taken_at: '2026-11-23T03:17:00.000Z', encryption: 'age', counts });
  const target = { transfer: { url: String(process.env['MONGODB_URL']), database: `t${newId()}` } };
  await expect(restore(place, target, { identities: ['no-secret-key'] })).rejects.toThrow(
    /^the identity file has a line that is no AGE-SECRET-KEY-1…/,
  );
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

describe('a restore, when another one of the same databases takes its place,', () => {
  const url = String(process.env['MONGODB_URL']);
  const counts = { search: { first: 1, second: 1 } };
  const mongo = new MongoClient(url);
  let place: Place;
  let db: Db;
  let lines: string[];
  beforeEach(async () => {
    place = await openPlace(await mkdtemp(join(folder, 'taken-')), {});
    for (const name of Object.keys(counts.search))
      await place.write(`search/${name}.bson.gz`, Readable.from([gzipSync(BSON.serialize({ _id: name }))]));
    await writeManifest(place, { format: 1, taken_at: '2026-11-23T03:17:00.000Z', counts });
    db = mongo.db(`t${newId()}`);
    lines = [];
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await db.dropDatabase();
  });
  afterAll(() => mongo.close());

  const begin = (again: boolean, onLine?: (line: string) => void) =>
    restore(
      place,
      { search: { url, database: db.databaseName } },
      {
        use: { again, command: 'again', complete: async () => undefined },
        onLine: (line) => {
          lines.push(line);
          onLine?.(line);
        },
      },
    );
  const lock = () => db.collection<{ _id: string }>(LOCK);
  const other = { owner: 'another', ms: 60_000, renewed_at: new Date() };
  const take = () => lock().updateOne({ _id: 'restore' }, { $set: { lease: other } }, { upsert: true });

  it('writes nothing more', async () => {
    const insertMany = Collection.prototype.insertMany;
    jest.spyOn(Collection.prototype, 'insertMany').mockImplementationOnce(async function (
      this: Collection,
      ...given
    ) {
      const result = await insertMany.apply(this, given);
      await take();
      return result;
    });
    await expect(begin(false)).rejects.toThrow('another restore of these databases has begun meanwhile');
    expect(await db.collection('second').countDocuments()).toBe(0);
  });

  it('removes none of its marks', async () => {
    const marks = unfinishedRestores(db);
    await marks.insertOne({ _id: 'restore', backup: 'a', command: 'again', isFilled: true });
    await take();
    let beginsAnew: Promise<unknown> | undefined;
    await begin(true, (line) => {
      if (!line.startsWith('waiting for another restore')) return;
      beginsAnew = marks
        .updateOne({ _id: 'restore' }, { $unset: { isFilled: 1 } })
        .then(() => lock().updateOne({ _id: 'restore' }, { $unset: { lease: 1 } }));
    });
    await beginsAnew;
    expect(lines).toEqual([
      expect.stringMatching(/^waiting for another restore/),
      expect.stringMatching(/^a backup of/),
      '2 files are complete',
      'search.first: 1',
      'search.second: 1',
    ]);
    expect(await marks.findOne()).toBeNull();
  });
});

it.each(['/proc/waymark/x', '/dev/null/x'])('a backup to %s fails at once', async (name) => {
  const place = await openPlace(name, {});
  await expect(place.write('a/b', Readable.from(['x']))).rejects.toThrow(/^(ENOENT|ENOTDIR|EPERM|EACCES)/);
});
