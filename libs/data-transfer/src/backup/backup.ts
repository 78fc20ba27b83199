import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { version } from '@waymark/service-kit/process';
import { LOCK, MIGRATIONS } from '@waymark/service-kit/store';
import { BSON, type ClientSession, MongoClient, type Timestamp } from 'mongodb';
import { decrypted, encrypted } from './age.ts';
import { findBackup, type Manifest, timeOfBackup, writeManifest } from './manifest.ts';
import type { Place } from './place.ts';

type OnLine = (line: string) => void;

/** Databases by their names in a backup, which are the names of the services. */
export type BackupSources = Readonly<Record<string, { url: string; database: string }>>;

const INSERTED_AT_ONCE = { documents: 1_000, bytes: 4 * 1024 * 1024 };
/** An empty document: its length and a final zero. */
const LEAST_BSON_BYTES = 5;
/** MongoDB's limit, and what it adds to a document for its own use. */
const MOST_BSON_BYTES = (16 * 1024 + 16) * 1024;
/** Collections that belong to an installation and its stream, not to its content. */
const LEFT_OUT = new Set([LOCK, 'outbox_meta', 'backups']);
/** Records that are not restored: the next migration creates the indexes. */
const NOT_RESTORED = /^(collection|index|shards) /;

/**
 * Writes every collection as of one time, also across the databases of one cluster, as gzipped BSON (the
 * format of mongodump), encrypted with age if there are recipients. The manifest is written last; a backup
 * without it is invalid. Throws when `place` is not empty: an old manifest would seem to confirm new files.
 */
export async function backUp(
  sources: BackupSources,
  place: Place,
  { recipients = [], onLine = () => undefined }: { recipients?: readonly string[]; onLine?: OnLine } = {},
): Promise<Manifest> {
  if ((await place.list()).length > 0) throw new Error(`${place.name} is not empty`);
  const isEncrypted = recipients.length > 0;
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
        const zipped = through(Readable.from(documents()), createGzip({ level: 1 }));
        const content = isEncrypted ? await encrypted(zipped, recipients) : zipped;
        await place.write(pathOf(name, collection, isEncrypted), content);
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
    ...(isEncrypted && { encryption: 'age' }),
    counts,
  };
  await writeManifest(place, manifest);
  return manifest;
}

const pathOf = (database: string, collection: string, isEncrypted: boolean) =>
  `${database}/${collection}.bson.gz${isEncrypted ? '.age' : ''}`;

/** Ends `to` with the error of `from`, which `from.pipe(to)` would not. */
function through(from: Readable, to: Transform): Readable {
  pipeline(from, to, () => undefined);
  return to;
}

/** The driver keeps the time of a snapshot session without declaring it. */
function snapshotTimeOf(session: ClientSession): number | undefined {
  const { snapshotTime } = session as { snapshotTime?: Timestamp };
  return snapshotTime && snapshotTime.getHighBitsUnsigned() * 1_000;
}

/**
 * Fills databases from the backup in `place`, or from the newest of a series. Throws before it writes when a
 * database has documents, no manifest exists, or the backup is encrypted and there is no identity.
 */
export async function restore(
  place: Place,
  targets: BackupSources,
  {
    identities = [],
    mustBeEncrypted = false,
    onLine = () => undefined,
  }: { identities?: readonly string[]; mustBeEncrypted?: boolean; onLine?: OnLine } = {},
): Promise<Manifest> {
  const { place: found, manifest } = await findBackup(place, Date.now());
  const { counts, version: writtenBy, encryption } = manifest;
  if (encryption && identities.length === 0) throw new Error(`${found.name} is encrypted: name its identity`);
  // Who can write to the bucket could put a backup of their own there.
  if (!encryption && mustBeEncrypted)
    throw new Error(`${found.name} is not encrypted; without an identity it is accepted`);
  const missing = Object.keys(targets).find((name) => !counts[name]);
  if (missing) throw new Error(`${found.name} lacks the database of ${missing}`);
  const opened = Object.entries(targets).map(([name, { url, database }]) => {
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
        const path = pathOf(name, collection, encryption === 'age');
        const file = `${found.name}/${path}`;
        const content = await found.read(path);
        const zipped = encryption ? await decrypted(content, identities) : content;
        for await (const batch of batches(documentsIn(zipped, file))) {
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
    return manifest;
  } finally {
    await Promise.all(opened.map(({ client }) => client.close()));
  }
}

/** Reads consecutive BSON documents, each starting with its length. Copies each byte once. */
async function* documentsIn(zipped: Readable, file: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  let needed = LEAST_BSON_BYTES;
  for await (const chunk of through(zipped, createGunzip())) {
    parts.push(chunk);
    size += chunk.length;
    if (size < needed) continue;
    let rest = Buffer.concat(parts);
    function lengthOfNext(): number {
      const length = rest.length < LEAST_BSON_BYTES ? LEAST_BSON_BYTES : rest.readInt32LE(0);
      if (length >= LEAST_BSON_BYTES && length <= MOST_BSON_BYTES) return length;
      throw new Error(`${file} has a document that is not BSON`);
    }
    for (needed = lengthOfNext(); needed <= rest.length; needed = lengthOfNext()) {
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
