import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { patience } from '@waymark/testing';
import { type Db, MongoClient } from 'mongodb';
import { type Lease, leaseRunning } from '../src/store/lease.ts';
import { assertMigrated, MIGRATIONS, migrate, pendingMigrations } from '../src/store/migration/migrate.ts';
import { LOCK } from '../src/store/migration/runner-lock.ts';
import { migrationUnits, type Schema } from '../src/store/migration/schema.ts';
import { sampleSchema } from './sample-schema.ts';

const url = String(process.env['MONGODB_URL']);
const dying = fileURLToPath(new URL('./migrate-and-die.ts', import.meta.url));
let client: MongoClient;
let db: Db;
const used: Db[] = [];

beforeAll(() => {
  client = new MongoClient(url, { readConcern: { level: 'majority' }, writeConcern: { w: 'majority' } });
});
beforeEach(() => {
  db = client.db(`t${randomBytes(6).toString('hex')}_migrate`);
  used.push(db);
});
afterAll(async () => {
  await Promise.all(used.map((one) => one.dropDatabase()));
  await client.close();
});

const units = migrationUnits(sampleSchema, false);
const unitCount = units.length;
const everyPart = units.flatMap(({ parts }) => parts);
const indexNames = async (name: string) =>
  (await db.collection(name).listIndexes().toArray()).map((index) => index['name']).sort();

describe('a migration', () => {
  it('creates the schema in an empty database and reports every part', async () => {
    expect(await pendingMigrations(db, sampleSchema)).toEqual(everyPart);
    expect(await migrate(db, sampleSchema)).toEqual(everyPart);
    expect(await indexNames('things')).toEqual(['_id_', 'name_1', 'workspace_id_1_name_1']);
    expect(await pendingMigrations(db, sampleSchema)).toEqual([]);
  });

  it('does nothing the second time', async () => {
    await migrate(db, sampleSchema);
    await db.collection('things').insertOne({ workspace_id: 'w', name: 'lower' });
    expect(await migrate(db, sampleSchema)).toEqual([]);
    expect(await db.collection('things').findOne({}, { projection: { _id: 0 } })).toEqual({
      workspace_id: 'w',
      name: 'lower',
    });
  });

  it('adds the parts of a later version; the previous version still starts', async () => {
    await migrate(db, sampleSchema);
    const later: Schema = {
      ...sampleSchema,
      indexes: { ...sampleSchema.indexes, others: [{ key: { workspace_id: 1 } }] },
    };
    const pending = await pendingMigrations(db, later);
    expect(pending).toEqual(['index others {"key":{"workspace_id":1}}']);
    await expect(assertMigrated(db, later)).rejects.toThrow(/index others .*npm run migrate/);
    expect(await migrate(db, later)).toEqual(pending);
    await assertMigrated(db, sampleSchema);
  });

  it('is applied once by runners that start together', async () => {
    await db.collection('things').insertOne({ workspace_id: 'w', name: 'a' });
    const runs = await Promise.all([1, 2, 3].map(() => migrate(db, sampleSchema)));
    expect(runs.flat().sort()).toEqual([...everyPart].sort());
  });

  it.each([1, unitCount])('is finished by the next runner when killed after unit %i', async (unit) => {
    await db.collection('things').insertOne({ workspace_id: 'w', name: 'a' });
    const args = ['--conditions=x-source', '--disable-warning=ExperimentalWarning', dying];
    const killed = spawnSync(process.execPath, [...args, url, db.databaseName, String(unit)], {
      timeout: patience(20_000),
    });
    expect(killed.signal).toBe('SIGKILL');
    const left = await pendingMigrations(db, sampleSchema);
    expect(left.length).toBeGreaterThan(0);
    const locks = db.collection<{ _id: string; lease: Lease }>(LOCK);
    expect(await locks.countDocuments({ _id: 'lock', ...leaseRunning() })).toBe(1);
    let waits = 0;
    const done = await migrate(db, sampleSchema, {
      onWait() {
        waits += 1;
        void locks.updateOne({ _id: 'lock' }, { $set: { 'lease.renewed_at': new Date(0) } });
      },
    });
    expect(done).toEqual(left);
    expect(waits).toBe(1);
    expect((await db.collection('things').findOne())?.['name']).toBe('A');
  });

  it('does not block writers while it builds an index', async () => {
    const things = db.collection('things');
    const { steps: _none, ...indexesOnly } = sampleSchema;
    const isBuilding = async () => {
      const build = { 'command.createIndexes': 'things', ns: `${db.databaseName}.things` };
      const { inprog } = await client.db('admin').command({ currentOp: 1, ...build });
      return inprog.some((op: { progress?: unknown }) => op.progress !== undefined);
    };
    let written = 0;
    let duringBuild = 0;
    async function buildBesideWriter(): Promise<void> {
      let isOver = false;
      const building = migrate(db, indexesOnly).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        const hadBegun = await isBuilding();
        written += 1;
        await things.insertOne({ workspace_id: 'writer', name: `during ${written}` });
        if (hadBegun && (await isBuilding())) duringBuild += 1;
      }
      await building;
    }
    // Adds rows until the build takes longer than a write on this machine.
    for (let rows = 0; duringBuild === 0; ) {
      await db.collection(MIGRATIONS).deleteMany({});
      if (rows > 0) await things.dropIndexes();
      const more = Array.from({ length: Math.max(rows, 60_000) }, (_, n) => ({
        workspace_id: `w${n % 100}`,
        name: `n${rows + n}`,
      }));
      await things.insertMany(more, { ordered: false, writeConcern: { w: 1 } });
      rows += more.length;
      await buildBesideWriter();
    }
    const indexed = await things.countDocuments({ name: /^during/ }, { hint: 'name_1' });
    expect(indexed).toBe(written);
    expect(await things.countDocuments({ workspace_id: 'writer' }, { hint: { $natural: 1 } })).toBe(written);
  });
});
