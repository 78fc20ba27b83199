import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MEBIBYTE } from '@waymark/contracts';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { Binary, MongoClient } from 'mongodb';
import { backUp } from './backup.ts';
import { nameInSeries } from './manifest.ts';
import { openPlace } from './place.ts';

/** As many as a file of 400 MiB that is being imported has. */
const LARGE_DOCUMENTS = 400;
/** The memory limit of the chart's tools pod is 512 MiB, of which Node.js gives half to its heap. */
const HEAP_MEBIBYTES = 256;
const LIMIT_MEBIBYTES = 400;

const prefix = `t${randomBytes(6).toString('hex')}`;
const url = String(process.env['MONGODB_URL']);
const source = { transfer: { url, database: `${prefix}_transfer` } };
const target = { transfer: { url, database: `${prefix}_restored` } };
let folder: string;
let directory: string;
let mongo: MongoClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-large-backup-'));
  directory = join(folder, 'large');
  mongo = new MongoClient(url);
});
afterAll(async () => {
  for (const { transfer } of [source, target]) await mongo.db(transfer.database).dropDatabase();
  await mongo.close();
  await rm(folder, { recursive: true });
});

const chunksOf = (database: string) => mongo.db(database).collection<{ _id: number; data: Binary }>('chunks');

/**
 * Runs a script in a process like that of the tools pod, and returns its most memory. `maxRSS` would include
 * that of the process which starts it.
 */
async function mebibytesOf(script: string, name = directory): Promise<number> {
  const index = JSON.stringify(new URL('./index.ts', import.meta.url).href);
  const measured = `
    const { readFileSync } = await import('node:fs');
    const { backUp, backUpOplog, restore, openPlace } = await import(${index});
    const place = await openPlace(${JSON.stringify(name)}, {});
    ${script};
    console.log(/VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);`;
  const options = [
    `--max-old-space-size=${HEAP_MEBIBYTES}`,
    '--conditions=x-source',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [...options, '--eval', measured]);
  return Number(stdout) / 1024;
}

describe('large documents', () => {
  it('are backed up, kept as changes and restored within the memory of the tools pod', async () => {
    const db = mongo.db(source.transfer.database);
    await db.collection<{ _id: string }>('schema_migrations').insertOne({ _id: 'data one' });
    const place = join(folder, 'changes');
    await backUp(source, (await openPlace(place, {})).at(nameInSeries(Date.now())));
    const block = randomBytes(64 * 1024);
    const data = new Binary(Buffer.concat(Array.from({ length: MEBIBYTE / block.length }, () => block)));
    await chunksOf(source.transfer.database).insertMany(
      Array.from({ length: LARGE_DOCUMENTS }, (_, _id) => ({ _id, data })),
    );
    const clock = async () => (await db.command({ ping: 1 }))['operationTime'].getHighBitsUnsigned();
    const until = (await clock()) + 1;
    while ((await clock()) < until) await db.collection('clock').insertOne({});
    const [from, to] = [source, target].map((databases) => JSON.stringify(databases));
    const identity = await generateX25519Identity();
    const recipients = JSON.stringify([await identityToRecipient(identity)]);
    const restored = chunksOf(target.transfer.database);
    const expectRestored = async () => {
      expect(await restored.countDocuments()).toBe(LARGE_DOCUMENTS);
      const last = await restored.findOne({ _id: LARGE_DOCUMENTS - 1 });
      expect(Buffer.compare(last!.data.buffer, data.buffer)).toBe(0);
      await mongo.db(target.transfer.database).dropDatabase();
    };

    const kept = await mebibytesOf(`await backUpOplog(${from}, place, { onLine() {} })`, place);
    expect(kept).toBeLessThan(LIMIT_MEBIBYTES);
    const options = JSON.stringify({ untilMs: until * 1_000 });
    expect(await mebibytesOf(`await restore(place, ${to}, ${options})`, place)).toBeLessThan(LIMIT_MEBIBYTES);
    await expectRestored();

    expect(await mebibytesOf(`await backUp(${from}, place, { recipients: ${recipients} })`)).toBeLessThan(
      LIMIT_MEBIBYTES,
    );
    expect(await mebibytesOf(`await restore(place, ${to}, { identities: ['${identity}'] })`)).toBeLessThan(
      LIMIT_MEBIBYTES,
    );
    await expectRestored();
  });
});
