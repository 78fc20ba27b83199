import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { unfinishedRestores } from '@waymark/service-kit/store';
import { BSON, MongoClient } from 'mongodb';
import { restore } from './backup.ts';
import { writeManifest } from './manifest.ts';
import { openPlace, type Place } from './place.ts';

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

describe('the marks of an unfinished restore', () => {
  const url = String(process.env['MONGODB_URL']);
  const id = newId();
  const targets = { accounts: { url, database: `t${id}a` }, transfer: { url, database: `t${id}t` } };
  const use = { again: true, command: 'restore --again', complete: async () => undefined };
  const mongo = new MongoClient(url);
  const marksIn = async ({ database }: { database: string }) =>
    (await unfinishedRestores(mongo.db(database)).find().toArray()).map(({ command }) => command);
  const filesIn = ({ database }: { database: string }) =>
    mongo.db(database).collection<{ _id: number }>('files');
  let place: Place;
  beforeAll(async () => {
    place = await openPlace(await mkdtemp(join(folder, 'whole-')), {});
    for (const name of ['accounts', 'transfer'])
      await place.write(`${name}/files.bson.gz`, Readable.from([gzipSync(BSON.serialize({ _id: 1 }))]));
    const counts = { accounts: { files: 1 }, transfer: { files: 1 } };
    await writeManifest(place, { format: 1, taken_at: '2026-11-23T03:17:00.000Z', counts });
  });
  afterAll(async () => {
    for (const { database } of Object.values(targets)) await mongo.db(database).dropDatabase();
    await mongo.close();
  });

  it('let it be done again when it was killed while it removed them', async () => {
    await restore(place, targets, { use });
    const mark = { _id: 'restore' as const, backup: place.name, command: use.command, run: newId() };
    await unfinishedRestores(mongo.db(targets.accounts.database)).insertOne(mark);
    await filesIn(targets.transfer).insertOne({ _id: 2 });
    await restore(place, targets, { use });
    for (const target of Object.values(targets)) {
      expect(await filesIn(target).find().toArray()).toEqual([{ _id: 1 }]);
      expect(await marksIn(target)).toEqual([]);
    }
  });

  it('stay when another restore has begun, whose data are incomplete', async () => {
    const command = 'of the other';
    const other = { again: true, command, complete: () => Promise.reject(new Error('killed')) };
    const complete = () => expect(restore(place, targets, { use: other })).rejects.toThrow('killed');
    for (const { database } of Object.values(targets)) await mongo.db(database).dropDatabase();
    await expect(restore(place, targets, { use: { ...use, complete } })).rejects.toThrow('another restore');
    for (const target of Object.values(targets)) expect(await marksIn(target)).toEqual([command]);
  });
});

it.each(['/proc/waymark/x', '/dev/null/x'])('a backup to %s fails at once', async (name) => {
  const place = await openPlace(name, {});
  await expect(place.write('a/b', Readable.from(['x']))).rejects.toThrow(/^(ENOENT|ENOTDIR|EPERM|EACCES)/);
});
