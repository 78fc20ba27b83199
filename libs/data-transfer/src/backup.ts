import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { LOCK, MIGRATIONS } from '@waymark/service-kit/store';
import { BSON, type Document, MongoClient } from 'mongodb';

/** Databases by their names in a backup, which are the names of the services. */
export type BackupSources = Readonly<Record<string, { url: string; database: string }>>;

interface Manifest {
  format: 1;
  taken_at: string;
  /** Numbers of documents by database and collection, to detect a truncated file. */
  counts: Record<string, Record<string, number>>;
}

const MANIFEST = 'manifest.json';
const INSERTED_AT_ONCE = 1_000;
/** Collections that belong to an installation and its stream, not to its content. */
const LEFT_OUT = new Set([LOCK, 'outbox_meta']);
/**
 * Records that are not restored: the next migration creates the indexes. The data includes the effects of
 * steps.
 */
const NOT_RESTORED = /^(collection|index|shards) /;

/**
 * Writes every collection as of one time, also across the databases of one cluster, as gzipped BSON (the
 * format of mongodump). Writers are not blocked. The manifest is written last; a backup without it is
 * invalid. Throws when `directory` is not empty: after an interruption, an old manifest would seem to confirm
 * new files.
 */
export async function backUp(
  sources: BackupSources,
  directory: string,
  onCollection: (line: string) => void = () => undefined,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty`);
  const counts: Manifest['counts'] = {};
  const clients = new Map<string, MongoClient>();
  try {
    for (const { url } of Object.values(sources))
      if (!clients.has(url)) clients.set(url, new MongoClient(url));
    const sessions = new Map(
      [...clients].map(([url, client]) => [url, client.startSession({ snapshot: true })]),
    );
    for (const [name, { url, database }] of Object.entries(sources)) {
      const db = clients.get(url)!.db(database);
      await mkdir(join(directory, name), { recursive: true, mode: 0o700 });
      const ofDatabase: Record<string, number> = {};
      counts[name] = ofDatabase;
      const collections = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
      for (const { name: collection } of collections) {
        if (LEFT_OUT.has(collection) || collection.startsWith('system.')) continue;
        const cursor = db.collection(collection).find({}, { session: sessions.get(url)!, raw: true });
        let count = 0;
        async function* documents() {
          for await (const document of cursor) {
            count += 1;
            yield document as unknown as Buffer;
          }
        }
        const file = createWriteStream(join(directory, name, `${collection}.bson.gz`), { mode: 0o600 });
        await pipeline(Readable.from(documents()), createGzip({ level: 1 }), file);
        ofDatabase[collection] = count;
        onCollection(`${name}.${collection}: ${count}`);
      }
    }
    for (const session of sessions.values()) await session.endSession();
  } finally {
    await Promise.all([...clients.values()].map((client) => client.close()));
  }
  const manifest: Manifest = { format: 1, taken_at: new Date().toISOString(), counts };
  await writeFile(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
}

/**
 * Fills empty databases from a backup. Throws before it writes when a database has documents or the backup is
 * incomplete.
 */
export async function restore(
  directory: string,
  targets: BackupSources,
  onCollection: (line: string) => void = () => undefined,
): Promise<void> {
  const text = await readFile(join(directory, MANIFEST), 'utf8').catch(() => {
    throw new Error(`${directory} is no whole backup: it has no ${MANIFEST}`);
  });
  const { counts } = JSON.parse(text) as Manifest;
  const wanted = Object.entries(targets).filter(([name]) => counts[name]);
  const clients = wanted.map(([, { url }]) => new MongoClient(url, { writeConcern: { w: 'majority' } }));
  try {
    for (const [n, [name, { database }]] of wanted.entries()) {
      const db = clients[n]!.db(database);
      for (const collection of Object.keys(counts[name]!)) {
        if (await db.collection(collection).findOne())
          throw new Error(`${database}.${collection} is not empty`);
      }
    }
    for (const [n, [name, { database }]] of wanted.entries()) {
      const db = clients[n]!.db(database);
      for (const [collection, expected] of Object.entries(counts[name]!)) {
        let count = 0;
        const file = join(directory, name, `${collection}.bson.gz`);
        for await (const batch of batches(documentsIn(file))) {
          count += batch.length;
          const isKept = ({ _id }: Document) => collection !== MIGRATIONS || !NOT_RESTORED.test(_id);
          const kept = batch.filter(isKept);
          if (kept.length > 0) await db.collection(collection).insertMany(kept, { ordered: false });
        }
        if (count !== expected) throw new Error(`${file} has ${count} documents of ${expected}`);
        onCollection(`${name}.${collection}: ${count}`);
      }
    }
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

/**
 * Reads consecutive BSON documents, each starting with its length. Keeps types: a long does not become a
 * double.
 */
async function* documentsIn(file: string): AsyncGenerator<Document> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file).pipe(createGunzip())) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= 4 && rest.length - at >= rest.readInt32LE(at)) {
      const length = rest.readInt32LE(at);
      yield BSON.deserialize(rest.subarray(at, at + length), { promoteValues: false });
      at += length;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new Error(`${file} ends inside a document`);
}

async function* batches(documents: AsyncIterable<Document>): AsyncGenerator<Document[]> {
  let batch: Document[] = [];
  for await (const document of documents) {
    batch.push(document);
    if (batch.length < INSERTED_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
