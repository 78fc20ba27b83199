import { version } from '@waymark/service-kit/process';
import { BSON, type ClientSession, MongoClient, type Timestamp } from 'mongodb';
import { isContent, isRestored } from './content.ts';
import { batches, pathOf, readDocuments, writeDocuments } from './documents.ts';
import { findBackup, type Manifest, timeOfBackup, writeManifest } from './manifest.ts';
import { assertReplicaSet, identityOf } from './oplog/read-oplog.ts';
import { replay } from './oplog/replay.ts';
import { segmentsUntil } from './oplog/segments.ts';
import type { Place } from './place.ts';
import { positionAt, positionOf, timeOfPosition } from './position.ts';

type OnLine = (line: string) => void;

/** Databases by their names in a backup, which are the names of the services. */
export type BackupSources = Readonly<Record<string, { url: string; database: string }>>;

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
        await writeDocuments(place, `${name}/${collection}`, documents(), recipients);
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
  onLine?: OnLine;
}

/**
 * Fills databases from the backup in `place`, or from the newest of a series. Throws before it writes when a
 * database has documents, no manifest exists, the backup is encrypted and there is no identity, or changes up
 * to `untilMs` are missing. The manifest that it returns has the time of what it restored.
 */
export async function restore(
  place: Place,
  targets: BackupSources,
  { identities = [], mustBeEncrypted = false, untilMs, onLine = () => undefined }: RestoreOptions = {},
): Promise<Manifest> {
  const until = untilMs === undefined ? undefined : positionAt(untilMs);
  const { place: found, manifest } = await findBackup(place, Date.now(), until);
  const { counts, version: writtenBy, encryption } = manifest;
  const segments = until ? await segmentsUntil(place, manifest, Object.keys(targets), until) : [];
  for (const part of [{ place: found, encryption }, ...segments]) {
    const { name } = part.place;
    if (part.encryption && identities.length === 0)
      throw new Error(`${name} is encrypted: name its identity`);
    // Who can write to the bucket could put a backup of their own there.
    if (!part.encryption && encryption) throw new Error(`${name} is not encrypted, but its backup is`);
    if (!part.encryption && mustBeEncrypted)
      throw new Error(`${name} is not encrypted; without an identity it is accepted`);
  }
  const missing = Object.keys(targets).find((name) => !counts[name]);
  if (missing) throw new Error(`${found.name} lacks the database of ${missing}`);
  const opened = Object.entries(targets).map(([name, { url, database }]) => {
    const client = new MongoClient(url, { writeConcern: { w: 'majority' } });
    return { name, client, db: client.db(database), collections: Object.entries(counts[name]!) };
  });
  try {
    if (until) await Promise.all(opened.map(({ client }) => assertReplicaSet(client)));
    for (const { db, collections } of opened)
      for (const [collection] of collections)
        if (await db.collection(collection).findOne())
          throw new Error(`${db.databaseName}.${collection} is not empty`);
    onLine(`a backup of ${timeOfBackup(manifest)}, version ${writtenBy ?? 'unknown'}`);
    for (const { name, db, collections } of opened) {
      for (const [collection, expected] of collections) {
        let count = 0;
        const path = `${name}/${collection}`;
        const documents = readDocuments(found, path, encryption ? identities : null);
        for await (const batch of batches(documents)) {
          count += batch.length;
          const kept = batch
            .map((bytes) => BSON.deserialize(bytes, { promoteValues: false }))
            .filter(({ _id }) => isRestored(collection, _id));
          if (kept.length > 0) await db.collection(collection).insertMany(kept, { ordered: false });
        }
        if (count !== expected)
          throw new Error(
            `${found.name}/${pathOf(path, encryption === 'age')} has ${count} documents of ${expected}`,
          );
        onLine(`${name}.${collection}: ${count}`);
      }
    }
    if (!until) return manifest;
    const databases = new Map(opened.map(({ name, db }) => [name, db]));
    const changes = await replay({ segments, databases, manifest, until, identities });
    onLine(`${changes} changes until ${timeOfPosition(until)}`);
    return { ...manifest, snapshot_at: timeOfPosition(until) };
  } finally {
    await Promise.all(opened.map(({ client }) => client.close()));
  }
}
