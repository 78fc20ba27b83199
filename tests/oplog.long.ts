import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { backUp, backUpOplog, nameInSeries, openPlace, type Place, restore, thinOut } from '@waymark/backup';
import { MEBIBYTE } from '@waymark/contracts';
import { eventually, testFolder } from '@waymark/testing';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { Binary, BSON, Decimal128, type Document, Long, MongoClient, Timestamp } from 'mongodb';

const WRITES = 400;
const DAY_MS = 86_400_000;

const url = String(process.env['MONGODB_URL']);
const prefix = `t${randomBytes(6).toString('hex')}`;
const sources = {
  threads: { url, database: `${prefix}_threads` },
  // Its name begins with that of the other.
  audit: { url, database: `${prefix}_threads_audit` },
};
const used = new Set<string>(Object.values(sources).map(({ database }) => database));
const mongo = new MongoClient(url);
const folder = testFolder();
const identity = await generateX25519Identity();
const recipient = await identityToRecipient(identity);
for (const { database } of Object.values(sources))
  await mongo.db(database).collection<{ _id: string }>('schema_migrations').insertOne({ _id: 'data one' });
afterAll(async () => {
  for (const name of used) await mongo.db(name).dropDatabase();
  await mongo.close();
});

const threads = () => mongo.db(sources.threads.database);
const seconds = async () => (await mongo.db().command({ ping: 1 }))['operationTime'].getHighBitsUnsigned();

/** A moment after everything that was written, once MongoDB's clock has passed it. */
async function moment(): Promise<number> {
  const next = (await seconds()) + 1;
  await eventually(async () => {
    await threads()
      .collection('probes')
      .updateOne({}, { $inc: { ticks: 1 } }, { upsert: true });
    return (await seconds()) > next;
  });
  return next * 1_000;
}

async function newSeries(recipients: string[] = []): Promise<{ series: Place; base: string }> {
  const series = await openPlace(await mkdtemp(join(folder, 'series-')), {});
  const base = nameInSeries(Date.now());
  await backUp(sources, series.at(base), { recipients });
  return { series, base };
}
const extend = (series: Place, recipients: string[] = []) =>
  backUpOplog(sources, series, { recipients, onLine: () => undefined });
const segmentsOf = async (series: Place) =>
  [...new Set((await series.at('oplog').list()).map((path) => path.split('/')[0]!))].sort();

function newTargets() {
  const name = `t${randomBytes(6).toString('hex')}`;
  used.add(`${name}_threads`).add(`${name}_audit`);
  return {
    threads: { url, database: `${name}_threads` },
    audit: { url, database: `${name}_audit` },
  };
}

/** All documents, byte by byte; with `atMs`, as MongoDB itself remembers that moment. */
async function contentOf(database: string, names: readonly string[], atMs?: number) {
  const session = mongo.startSession({ snapshot: atMs !== undefined });
  // The driver has no type for the time of a snapshot.
  if (atMs !== undefined) Object.assign(session, { snapshotTime: new Timestamp({ t: atMs / 1_000, i: 0 }) });
  const content: Record<string, string[]> = {};
  for (const name of names) {
    const cursor = mongo.db(database).collection(name).find({}, { session, raw: true }).sort({ _id: 1 });
    content[name] = (await cursor.toArray()).map((raw) => (raw as unknown as Buffer).toString('base64'));
  }
  await session.endSession();
  return content;
}

const NAMES = ['things', 'others', 'outbox'];
const some = <T>(values: readonly T[]) => values[randomInt(values.length)]!;
const value = () =>
  some<unknown>([
    1,
    1.5,
    null,
    'text',
    Long.fromNumber(7),
    new Date(),
    [1, { a: 2 }, 3],
    { 'x y': { z: 1 } },
    Decimal128.fromString('1.10'),
  ]);

/** A random write, of which several may be in a transaction. */
async function write(): Promise<void> {
  const collection = mongo.db(some(Object.values(sources)).database).collection<{ _id: number }>(some(NAMES));
  const update = () =>
    some<Document>([
      { $set: { [some(['a', 'b', 'deep.er'])]: value() } },
      { $unset: { [some(['a', 'b', 'deep'])]: '' } },
      { $push: { list: { $each: [value(), { b: value() }], $slice: -5 } } },
      { $set: { list: [{ b: 1 }, { b: 2 }, 3] }, $inc: { count: 1 } },
      [{ $replaceWith: { $mergeObjects: ['$$ROOT', { list: [1] }] } }],
    ]);
  const one = async (session?: ReturnType<MongoClient['startSession']>) => {
    const options = session ? { session } : {};
    const _id = randomInt(30);
    await some([
      () => collection.updateOne({ _id }, { $set: { a: value() } } as Document, { ...options, upsert: true }),
      () => collection.updateOne({ _id }, update(), options),
      () => collection.updateOne({ _id }, update(), options),
      // Elsewhere it would name a field by a number, and JavaScript puts such fields first.
      () =>
        collection.updateOne(
          { _id, list: { $type: 'array' } } as Document,
          { $set: { [some(['list.1.b', 'list.0'])]: value() } },
          options,
        ),
      () => collection.replaceOne({ _id }, { r: value(), list: [1, { b: 1 }] } as Document, options),
      () => collection.updateMany({ _id: { $lt: 5 } }, update(), options),
      () => collection.deleteMany({ _id: { $in: [_id, _id + 1] } }, options),
    ])().catch((error) => {
      // A path that the value of another write does not have, or a conflict with one.
      if (session || ![28, 2, 16837].includes(error.code)) throw error;
    });
  };
  if (randomInt(4) > 0) return one();
  const session = mongo.startSession();
  await session
    .withTransaction(async () => {
      for (let n = randomInt(4); n >= 0; n -= 1) await one(session);
    })
    .catch((error) => {
      if (![28, 2, 16837].includes(error.code)) throw error;
    });
  await session.endSession();
}

describe('the changes between backups', () => {
  it('lead to the state of any second, with transactions, differences of arrays, and drops', async () => {
    for (let n = 0; n < WRITES; n += 1) await write();
    const { series } = await newSeries([recipient]);
    await threads().createCollection('dropped_soon');
    await threads().collection<{ _id: number }>('dropped_soon').insertOne({ _id: 1 });
    await threads().collection<{ _id: number }>('dropped_late').insertOne({ _id: 1 });
    await threads().collection('things').createIndex({ a: 1 });
    let writing = true;
    const writer = (async () => {
      while (writing) await write();
    })();
    await extend(series, [recipient]);
    // More than one entry of the oplog can have.
    const block = new Binary(randomBytes(6 * MEBIBYTE));
    const large = mongo.startSession();
    await large.withTransaction(async () => {
      for (let n = 0; n < 4; n += 1)
        await threads()
          .collection<{ _id: number }>('large')
          .insertOne({ _id: n, block } as { _id: number }, { session: large });
    });
    await large.endSession();
    await threads().collection('dropped_soon').drop();
    const moments: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      moments.push(await moment());
      await extend(series, [recipient]);
    }
    const remembered = await Promise.all(
      moments.map(async (atMs) => ({
        threads: await contentOf(sources.threads.database, [...NAMES, 'large', 'dropped_late'], atMs),
        audit: await contentOf(sources.audit.database, NAMES, atMs),
      })),
    );
    await threads().collection('dropped_late').drop();
    writing = false;
    await writer;
    await moment();
    await extend(series, [recipient]);
    for (const [n, untilMs] of moments.entries()) {
      const targets = newTargets();
      const manifest = await restore(series, targets, { identities: [identity], untilMs });
      expect(manifest.snapshot_at).toBe(new Date(untilMs).toISOString());
      const restored = {
        threads: await contentOf(targets.threads.database, [...NAMES, 'large', 'dropped_late']),
        audit: await contentOf(targets.audit.database, NAMES),
      };
      expect(restored).toEqual(remembered[n]);
      expect(restored.threads['large']).toHaveLength(4);
      const found = await mongo.db(targets.threads.database).listCollections().toArray();
      expect(found.map(({ name }) => name)).not.toContain('dropped_soon');
    }
    expect(remembered[0]).not.toEqual(remembered[2]);
  });

  it('are applied without a lock of the whole server, which would stop the product', async () => {
    const { series } = await newSeries();
    for (let n = 0; n < 10; n += 1) await write();
    await threads().collection<{ _id: number }>('created').insertOne({ _id: 1 });
    await threads().collection('created').drop();
    const untilMs = await moment();
    await extend(series);
    const locks = async () => (await mongo.db('admin').command({ serverStatus: 1 }))['locks'].Global;
    const { acquireCount } = await locks();
    await restore(series, newTargets(), { untilMs });
    expect((await locks()).acquireCount.W).toBe(acquireCount.W);
  });

  it('are kept from the newest backup on, or from the last time', async () => {
    const { series } = await newSeries();
    await extend(series);
    const first = await moment();
    await extend(series);
    const base = nameInSeries(Date.now());
    await backUp(sources, series.at(base));
    const second = await moment();
    await extend(series);
    for (const untilMs of [first, second]) await restore(series, newTargets(), { untilMs });
    expect(await thinOut(series, { own: base, keep: 1, nowMs: Date.now() })).toHaveLength(1);
    expect(await segmentsOf(series)).toHaveLength(3);
    await restore(series, newTargets(), { untilMs: second });

    // A day later, a backup makes all of them superfluous.
    const path = join(series.name, base, 'manifest.json');
    const later = new Date(Date.now() + DAY_MS).toISOString();
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...manifest, snapshot_at: later }));
    await thinOut(series, { own: base, keep: 1, nowMs: Date.now() + DAY_MS });
    expect(await segmentsOf(series)).toEqual([]);
  });
});

describe('a moment that cannot be restored', () => {
  it('is refused before anything is written: before the backup, after the last change, or in a gap', async () => {
    const before = await moment();
    const { series } = await newSeries();
    const names: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      await moment();
      await extend(series);
      names.push((await segmentsOf(series)).at(-1)!);
    }
    const targets = newTargets();
    const at = (untilMs: number) => restore(series, targets, { untilMs });
    await expect(at(before)).rejects.toThrow(/has no backup from before .*: choose a later time/);
    const late = /the changes in .* end at .*: choose an earlier time, or run waymark backup oplog first/;
    await expect(at(await moment())).rejects.toThrow(late);
    await extend(series);
    const last = (await seconds()) * 1_000;
    const [, hole = ''] = names;
    await rename(join(series.name, 'oplog', hole), join(folder, hole));
    await expect(at(last)).rejects.toThrow(/lacks the changes after .*: choose an earlier time/);
    await rename(join(folder, hole), join(series.name, 'oplog', hole));
    expect(await mongo.db(targets.threads.database).listCollections().toArray()).toEqual([]);
    await at(last);
  });

  it('is one of another database under the same name: changes continue its own backups only', async () => {
    const { series } = await newSeries();
    await extend(series);
    const audit = mongo.db(sources.audit.database);
    await audit.dropDatabase();
    await audit.collection<{ _id: string }>('schema_migrations').insertOne({ _id: 'data one' });
    await expect(extend(series)).rejects.toThrow(/oplog lacks changes of audit .*: make a full backup/);
    await backUp(sources, series.at(nameInSeries(Date.now())));
    const untilMs = await moment();
    await extend(series);
    await restore(series, newTargets(), { untilMs });
  });

  it('comes after a change that a restore cannot repeat', async () => {
    const { series } = await newSeries();
    const before = await moment();
    await threads().collection<{ _id: number }>('renamed').insertOne({ _id: 1 });
    await threads().collection('renamed').rename('renamed_again');
    const after = await moment();
    const lines: string[] = [];
    await backUpOplog(sources, series, { onLine: (line) => lines.push(line) });
    expect(lines).toContain('threads: a restore cannot repeat renameCollection: make a full backup');
    await restore(series, newTargets(), { untilMs: before });
    const refused = restore(series, newTargets(), { untilMs: after });
    await expect(refused).rejects.toThrow(/cannot be repeated \(other renameCollection\): choose an earlier/);
  });
});

describe('a segment of somebody else', () => {
  let series: Place;
  let untilMs: number;
  let path: string;
  let manifest: { ranges: Record<string, { id: string; from: string; to: string }>; changes: number };
  beforeAll(async () => {
    ({ series } = await newSeries());
    untilMs = await moment();
    await extend(series);
    path = join(series.name, 'oplog', (await segmentsOf(series))[0]!);
    manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
  });

  /** Writes changes as whoever has the bucket could, and restores. */
  async function restoreWith(changes: Document[], header: object = manifest.ranges) {
    const documents = [{ ranges: header }, ...changes].map((document) => BSON.serialize(document));
    await writeFile(join(path, 'changes.bson.gz'), gzipSync(Buffer.concat(documents)));
    const text = JSON.stringify({ ...manifest, changes: changes.length });
    await writeFile(join(path, 'manifest.json'), text);
    return restore(series, newTargets(), { untilMs });
  }
  const within = () => new Timestamp({ t: untilMs / 1_000 - 1, i: 4_000_000_000 });
  const change = (more: Document = {}): Document => {
    const o = { _id: 'new' };
    return { ts: within(), database: 'threads', op: 'i', collection: 'things', o, ...more };
  };

  it('writes into the collections of its databases only', async () => {
    await expect(restoreWith([change()])).resolves.toBeDefined();
    const command = { collection: 'x.$cmd' };
    await expect(restoreWith([change(command)])).rejects.toThrow('cannot be repeated (i x.$cmd)');
    const users = { op: 'c', collection: 'things', o: { dropDatabase: 1 } };
    await expect(restoreWith([change(users)])).rejects.toThrow('cannot be repeated (c things)');
    await expect(restoreWith([change({ database: 'admin' })])).rejects.toThrow('does not name');
    const control = { collection: `\u001b]0;title\u0007${'x'.repeat(MEBIBYTE)}` };
    await expect(restoreWith([change(control)])).rejects.toThrow(
      /repeated \(i \?\?0\?title\?x{1,100}\): choose/,
    );
    await expect(restoreWith([change({ collection: 'system.views' })])).rejects.toThrow('cannot be repeated');
  });

  it('is refused if its changes are of another time', async () => {
    const others = {
      ...manifest.ranges,
      threads: { ...manifest.ranges['threads']!, from: '1000000000.0000000000' },
    };
    await expect(restoreWith([], others)).rejects.toThrow('changes of another time than its manifest');
    const old = change({ ts: new Timestamp({ t: 1_000_000_000, i: 1 }) });
    await expect(restoreWith([old])).rejects.toThrow('has a change of another time');
  });

  it('does not print documents', async () => {
    const secret = change({ op: 'u', o: { $v: 2, wrong: 'password' }, o2: { _id: 'new' } });
    const refused = restoreWith([secret]).catch(({ message }) => message);
    expect(await refused).toMatch(/: a change was not applied \(its document differs\)$/);
  });

  it('is refused if it is not encrypted, but its backup is', async () => {
    const { series: encrypted } = await newSeries([recipient]);
    const until = await moment();
    await extend(encrypted);
    const restored = restore(encrypted, newTargets(), { identities: [identity], untilMs: until });
    await expect(restored).rejects.toThrow('is not encrypted, but its backup is');
  });
});
