import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { version } from '@waymark/service-kit/process';
import { LOCK, MIGRATIONS } from '@waymark/service-kit/store';
import { BSON, type ClientSession, MongoClient, type Timestamp } from 'mongodb';

/** Databases by their names in a backup, which are the names of the services. */
export type BackupSources = Readonly<Record<string, { url: string; database: string }>>;

interface Manifest {
  format: 1;
  /** The version of the product that wrote the backup. Earlier backups lack this and the next field. */
  version?: string;
  /** The time of the content. With several clusters, the earliest. */
  snapshot_at?: string;
  /** When the backup was complete. */
  taken_at: string;
  /** Numbers of documents by database and collection, to detect a truncated file. */
  counts: Record<string, Record<string, number>>;
}

const MANIFEST = 'manifest.json';
const INSERTED_AT_ONCE = { documents: 1_000, bytes: 4 * 1024 * 1024 };
/** An empty document: its length and a final zero. */
const LEAST_BSON_BYTES = 5;
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
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty`);
  const startedAt = Date.now();
  const counts: Manifest['counts'] = {};
  let snapshotAt = startedAt;
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
        onLine(`${name}.${collection}: ${count}`);
      }
    }
    snapshotAt = Math.min(...[...sessions.values()].map((session) => snapshotTimeOf(session) ?? startedAt));
  } finally {
    await Promise.all([...clients.values()].map((client) => client.close()));
  }
  const manifest: Manifest = {
    format: 1,
    version,
    snapshot_at: new Date(snapshotAt).toISOString(),
    taken_at: new Date().toISOString(),
    counts,
  };
  await writeFile(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
}

/** The driver keeps the time of a snapshot session without declaring it. */
function snapshotTimeOf(session: ClientSession): number | undefined {
  const { snapshotTime } = session as { snapshotTime?: Timestamp };
  return snapshotTime && snapshotTime.getHighBitsUnsigned() * 1_000;
}

/** Throws when the directory is no whole backup. */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, MANIFEST), 'utf8').catch(() => {
    throw new Error(`${directory} is no whole backup: it has no ${MANIFEST}`);
  });
  return JSON.parse(text) as Manifest;
}

/** The time of its content, or of its end where it does not say. */
export const timeOfBackup = ({ snapshot_at, taken_at }: Manifest) => snapshot_at ?? taken_at;

/** Fills databases from a backup. Throws before it writes when one has documents or no manifest exists. */
export async function restore(
  directory: string,
  targets: BackupSources,
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const manifest = await readManifest(directory);
  const { counts, version: writtenBy } = manifest;
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
    onLine(`a backup of ${timeOfBackup(manifest)}, version ${writtenBy ?? 'unknown'}`);
    for (const { name, db, collections } of opened) {
      for (const [collection, expected] of collections) {
        let count = 0;
        const file = join(directory, name, `${collection}.bson.gz`);
        for await (const batch of batches(documentsIn(file))) {
          count += batch.length;
          const kept = batch
            .map((bytes) => BSON.deserialize(bytes, { promoteValues: false }))
            .filter(({ _id }) => collection !== MIGRATIONS || !NOT_RESTORED.test(_id));
          if (kept.length > 0) await db.collection(collection).insertMany(kept, { ordered: false });
        }
        if (count !== expected) throw new Error(`${file} has ${count} documents of ${expected}`);
        onLine(`${name}.${collection}: ${count}`);
      }
    }
  } finally {
    await Promise.all(opened.map(({ client }) => client.close()));
  }
}

/** Reads consecutive BSON documents, each starting with its length. Copies each byte once. */
async function* documentsIn(file: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  let needed = LEAST_BSON_BYTES;
  for await (const chunk of createReadStream(file).pipe(createGunzip())) {
    parts.push(chunk);
    size += chunk.length;
    if (size < needed) continue;
    let rest = Buffer.concat(parts);
    const lengthOfNext = () => (rest.length < LEAST_BSON_BYTES ? LEAST_BSON_BYTES : rest.readInt32LE(0));
    for (needed = lengthOfNext(); needed <= rest.length; needed = lengthOfNext()) {
      if (needed < LEAST_BSON_BYTES) throw new Error(`${file} has a document that is not BSON`);
      yield rest.subarray(0, needed);
      rest = rest.subarray(needed);
    }
    parts = [rest];
    size = rest.length;
  }
  if (size > 0) throw new Error(`${file} ends inside a document`);
}

/** Groups documents so that a batch of large ones stays small in memory. */
async function* batches(documents: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let batch: Buffer[] = [];
  let bytes = 0;
  for await (const document of documents) {
    batch.push(document);
    bytes += document.length;
    if (batch.length < INSERTED_AT_ONCE.documents && bytes < INSERTED_AT_ONCE.bytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
