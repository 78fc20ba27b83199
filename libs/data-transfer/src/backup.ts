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
/** Records that are not restored: the next migration creates the indexes. */
const NOT_RESTORED = /^(collection|index|shards) /;

/**
 * Writes every collection as of one time, also across the databases of one cluster, as gzipped BSON (the
 * format of mongodump). The manifest is written last; a backup without it is invalid. Throws when `directory`
 * is not empty: an old manifest would seem to confirm new files.
 */
export async function backUp(
  sources: BackupSources,
  directory: string,
  onCollection: (line: string) => void = () => undefined,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty`);
  const counts: Manifest['counts'] = {};
  const urls = new Set(Object.values(sources).map(({ url }) => url));
  const clients = new Map([...urls].map((url) => [url, new MongoClient(url)]));
  try {
    const sessions = new Map(
      [...clients].map(([url, client]) => [url, client.startSession({ snapshot: true })]),
    );
    for (const [name, { url, database }] of Object.entries(sources)) {
      const db = clients.get(url)!.db(database);
      await mkdir(join(directory, name), { recursive: true, mode: 0o700 });
      counts[name] = {};
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
        counts[name][collection] = count;
        onCollection(`${name}.${collection}: ${count}`);
      }
    }
  } finally {
    await Promise.all([...clients.values()].map((client) => client.close()));
  }
  const manifest: Manifest = { format: 1, taken_at: new Date().toISOString(), counts };
  await writeFile(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
}

/** Fills databases from a backup. Throws before it writes when one has documents or no manifest exists. */
export async function restore(
  directory: string,
  targets: BackupSources,
  onCollection: (line: string) => void = () => undefined,
): Promise<void> {
  const text = await readFile(join(directory, MANIFEST), 'utf8').catch(() => {
    throw new Error(`${directory} is no whole backup: it has no ${MANIFEST}`);
  });
  const { counts } = JSON.parse(text) as Manifest;
  const opened = Object.entries(targets)
    .filter(([name]) => counts[name])
    .map(([name, { url, database }]) => {
      const client = new MongoClient(url, { writeConcern: { w: 'majority' } });
      return { name, client, db: client.db(database), collections: Object.entries(counts[name]!) };
    });
  try {
    for (const { db, collections } of opened)
      for (const [collection] of collections)
        if (await db.collection(collection).findOne())
          throw new Error(`${db.databaseName}.${collection} is not empty`);
    for (const { name, db, collections } of opened) {
      for (const [collection, expected] of collections) {
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
    await Promise.all(opened.map(({ client }) => client.close()));
  }
}

/** Reads consecutive BSON documents, each starting with its length. Keeps types: a long stays a long. */
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
