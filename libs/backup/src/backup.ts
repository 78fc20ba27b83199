import { version } from '@waymark/service-kit/process';
import {
  assertRestored,
  LOCK,
  runnerLock,
  type UnfinishedRestore,
  unfinishedRestores,
} from '@waymark/service-kit/store';
import {
  BSON,
  type ClientSession,
  type Collection,
  type Db,
  type Document,
  MongoClient,
  type Timestamp,
} from 'mongodb';
import { decrypterOf } from './age.ts';
import { isContent, isRestored } from './content.ts';
import { batches, pathOf, readDocuments, writeDocuments } from './documents.ts';
import { findBackup, type Manifest, timeOfBackup, writeManifest } from './manifest.ts';
import { assertReplicaSet, identityOf } from './oplog/read-oplog.ts';
import { checkChanges, replay } from './oplog/replay.ts';
import { segmentsUntil } from './oplog/segments.ts';
import type { Place } from './place.ts';
import { positionAt, positionOf, timeOfPosition } from './position.ts';

type OnLine = (line: string) => void;

/** Databases by their names in a backup, which are the names of the services. */
export type BackupSources = Readonly<Record<string, { url: string; database: string }>>;

/**
 * Writes every collection as of one time, also across the databases of one cluster, as gzipped BSON (the
 * format of mongodump), encrypted with age if there are recipients. The manifest is written last; a backup
 * without it is invalid. Throws when `place` is not empty, because an old manifest would seem to confirm new
 * files, and UnfinishedRestoreError.
 */
export async function backUp(
  sources: BackupSources,
  place: Place,
  { recipients = [], onLine = () => undefined }: { recipients?: readonly string[]; onLine?: OnLine } = {},
): Promise<Manifest> {
  if ((await place.list()).length > 0)
    throw new Error(`${place.name} is not empty: name another place, or remove what is there`);
  const isEncrypted = recipients.length > 0;
  const startedAt = Date.now();
  const counts: Manifest['counts'] = {};
  const oplog: Manifest['oplog'] = {};
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
      await assertRestored(db);
      const id = await identityOf(db);
      const collections = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
      for (const { name: collection } of collections) {
        if (!isContent(collection)) continue;
        const cursor = db.collection(collection).find({}, { session: sessions.get(url)!, raw: true });
        let count = 0;
        async function* documents() {
          for await (const document of cursor) {
            count += 1;
            yield document as unknown as Buffer;
          }
        }
        await writeDocuments(place, `${name}/${collection}`, documents(), recipients).catch((cause) => {
          throw new Error(`${cause.message}; ${place.name} is no whole backup: remove it`, { cause });
        });
        counts[name][collection] = count;
        onLine(`${name}.${collection}: ${count}`);
      }
      const at = snapshotTimeOf(sessions.get(url)!);
      if (id && at) oplog[name] = { id, at: positionOf(at) };
    }
    const times = [...sessions.values()].map(snapshotTimeOf);
    snapshotAt = Math.min(...times.map((time) => (time ? time.getHighBitsUnsigned() * 1_000 : startedAt)));
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
    oplog,
  };
  await writeManifest(place, manifest);
  return manifest;
}

/** The driver keeps the time of a snapshot session without declaring it. */
const snapshotTimeOf = (session: ClientSession) => (session as { snapshotTime?: Timestamp }).snapshotTime;

export interface RestoreOptions {
  identities?: readonly string[];
  mustBeEncrypted?: boolean;
  /** A whole second: the last backup before it is restored, and then what changed until then. */
  untilMs?: number | undefined;
  /** Set if services will use the databases, which are then marked as unfinished until all is done. */
  use?: {
    /** Drop what an unfinished restore left in the databases. */
    again: boolean;
    /** The command that restores again, for whoever finds the databases unfinished. */
    command: string;
    /** Called before the databases are used, for example for migrations. */
    complete: () => Promise<void>;
  };
  onLine?: OnLine;
}

/**
 * Fills databases from the backup in `place`, or from the newest of a series. Throws before it writes when a
 * database has documents, no manifest exists, the backup is of a later version or is encrypted
 * and there is no identity, changes up to `untilMs` are missing, or, with `use`, a file is damaged. The
 * manifest that it returns has the time of what it restored.
 */
export async function restore(
  place: Place,
  targets: BackupSources,
  options: RestoreOptions = {},
): Promise<Manifest> {
  const { identities = [], mustBeEncrypted = false, untilMs, use, onLine = () => undefined } = options;
  const until = untilMs === undefined ? undefined : positionAt(untilMs);
  // Refuses a wrong identity before the first file is read.
  decrypterOf(identities);
  const { place: found, manifest } = await findBackup(place, Date.now(), until);
  const { counts, version: writtenBy, encryption } = manifest;
  const segments = until ? await segmentsUntil(place, manifest, Object.keys(targets), until) : [];
  for (const part of [{ place: found, encryption, version: writtenBy }, ...segments]) {
    const { name } = part.place;
    if (part.version !== undefined && !isReadable(part.version))
      throw new Error(`${name} was written by version ${part.version}: restore it with that, not ${version}`);
    if (part.encryption && identities.length === 0)
      throw new Error(`${name} is encrypted: name its identity`);
    // Who can write to the bucket could put a backup of their own there.
    if (!part.encryption && encryption) throw new Error(`${name} is not encrypted, but its backup is`);
    if (!part.encryption && mustBeEncrypted)
      throw new Error(`${name} is not encrypted; without an identity it is accepted`);
  }
  const restored = until ? { ...manifest, snapshot_at: timeOfPosition(until) } : manifest;
  const missing = Object.keys(targets).find((name) => !counts[name]);
  if (missing) throw new Error(`${found.name} lacks the database of ${missing}`);
  const opened = Object.entries(targets).map(([name, { url, database }]) => {
    const client = new MongoClient(url, { writeConcern: { w: 'majority' } });
    return { name, client, db: client.db(database), collections: Object.entries(counts[name]!) };
  });
  const files = opened.flatMap(({ name, db, collections }) =>
    collections.map(([collection, count]) => ({ path: `${name}/${collection}`, db, collection, count })),
  );
  const databases = new Map(opened.map(({ name, db }) => [name, db]));
  const changes = until ? { segments, databases, manifest, until, identities } : undefined;

  // The lock of the first database is enough: restores of the same databases all begin with it.
  const lock = runnerLock(opened[0]!.db, 'restore', {
    onWait: () =>
      onLine(
        'waiting for another restore of these databases; one that was killed is forgotten after 15 seconds',
      ),
  });

  async function* batchesOf({ path, count }: (typeof files)[number]): AsyncGenerator<Document[]> {
    const file = `${found.name}/${pathOf(path, encryption === 'age')}`;
    let read = 0;
    for await (const batch of batches(readDocuments(found, path, encryption ? identities : null))) {
      read += batch.length;
      yield batch.map((bytes) => parse(bytes, file));
    }
    if (read !== count) throw new Error(`${file} has ${read} documents of ${count}`);
  }

  async function fill(): Promise<void> {
    for (const file of files) {
      const { db, collection, path, count } = file;
      for await (const batch of batchesOf(file)) {
        if (use) await lock.assertHeld();
        const kept = batch.filter(({ _id }) => isRestored(collection, _id));
        if (kept.length > 0) await db.collection(collection).insertMany(kept, { ordered: false });
      }
      onLine(`${path.replace('/', '.')}: ${count}`);
    }
    if (changes)
      onLine(
        `${await replay(changes, use && lock.assertHeld)} changes until ${timeOfPosition(changes.until)}`,
      );
    await use?.complete();
  }

  try {
    const marks = opened.map(({ db }) => unfinishedRestores(db));
    const unmark = async () => {
      for (const mark of marks) await mark.drop();
    };
    // Another restore could begin anew after the marks are read and before they are removed.
    if (use?.again) await lock.acquire();
    const filled = use?.again && (await findFilled(marks, use.command));
    if (filled) {
      await unmark();
      onLine(`the databases have all data of ${filled.backup}, and are no longer marked as unfinished`);
      return restored;
    }
    if (until) await Promise.all(opened.map(({ client }) => assertReplicaSet(client)));
    for (const { db, collections } of opened) await assertFree(db, collections, use?.again);
    onLine(`a backup of ${timeOfBackup(manifest)}, version ${writtenBy ?? 'unknown'}`);
    if (use) {
      for (const file of files) for await (const _ of batchesOf(file));
      if (changes) await checkChanges(changes);
      onLine(`${files.length + segments.length} files are complete`);
      // The lock is a document: the first restore creates it only when the databases were found to be free.
      await (use.again ? lock.assertHeld() : lock.acquire());
      // Another restore may have filled them meanwhile.
      for (const { db, collections } of opened) await assertFree(db, collections, use.again);
      for (const { db } of opened) await begin(db, { backup: found.name, command: use.command });
    }
    await fill().catch((cause) => {
      if (!use) throw cause;
      const next = `the data are incomplete, and nothing starts with them until: ${use.command}`;
      throw new Error(`${cause.message}; ${next}`, { cause });
    });
    if (use) {
      await lock.assertHeld();
      // If this process ends before the last mark is removed, the next one goes on from here.
      for (const mark of marks) await mark.updateOne({ _id: 'restore' }, { $set: { isFilled: true } });
      await unmark();
    }
    return restored;
  } finally {
    if (use) await lock.release().catch(() => undefined);
    await Promise.all(opened.map(({ client }) => client.close()));
  }
}

/** Whether this version reads the data of another one: a way back leads over one minor version at most. */
function isReadable(other: string): boolean {
  const numbersOf = (one: string) => one.split('.').map(Number) as [number, number];
  const [major, minor] = numbersOf(version);
  const [theirMajor, theirMinor] = numbersOf(other);
  return theirMajor < major || (theirMajor === major && theirMinor <= minor + 1);
}

function parse(bytes: Buffer, file: string): Document {
  try {
    return BSON.deserialize(bytes, { promoteValues: false });
  } catch (cause) {
    throw new Error(`${file}: a document is not BSON: ${(cause as Error).message}`, { cause });
  }
}

/** Returns the mark of a restore by this command that has filled all databases, and was killed then. */
async function findFilled(marks: readonly Collection<UnfinishedRestore>[], command: string) {
  const found = await Promise.all(marks.map((mark) => mark.findOne({ isFilled: true, command })));
  return found.find((mark) => mark !== null);
}

/** Throws when a database has documents, unless they are of an unfinished restore that is done `again`. */
async function assertFree(db: Db, collections: [string, number][], again = false): Promise<void> {
  if (again && (await unfinishedRestores(db).findOne())) return;
  await assertRestored(db);
  const { databaseName } = db;
  for (const [collection] of collections)
    if (await db.collection(collection).findOne())
      throw new Error(
        `${databaseName}.${collection} is not empty: drop the database ${databaseName} if its data may be lost`,
      );
}

/** Marks a database as unfinished, then drops what an earlier restore left in it. */
async function begin(db: Db, restore: Omit<UnfinishedRestore, '_id'>): Promise<void> {
  const marker = unfinishedRestores(db);
  const { matchedCount } = await marker.replaceOne({ _id: 'restore' }, restore, { upsert: true });
  if (matchedCount === 0) return;
  for (const { name } of await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray())
    if (name !== marker.collectionName && name !== LOCK && !name.startsWith('system.'))
      await db.collection(name).drop();
}
