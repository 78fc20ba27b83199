import { isDeepStrictEqual } from 'node:util';
import {
  type AnyBulkWriteOperation,
  BSON,
  type Collection,
  type Db,
  type Document,
  MongoError,
  type ObjectId,
  type WithId,
} from 'mongodb';
import { isRestored } from '../content.ts';
import { batches, readDocuments } from '../documents.ts';
import { CollectionName, type Manifest } from '../manifest.ts';
import { positionOf, timeOfPosition } from '../position.ts';
import type { Change } from './read-oplog.ts';
import { CHANGES, type Segment } from './segments.ts';
import { updatedDocument } from './updated-document.ts';

export interface Replay {
  segments: readonly Segment[];
  /** The restored databases, by their names in the backup. */
  databases: ReadonlyMap<string, Db>;
  manifest: Manifest;
  /** Exclusive, and the begin of a second: no transaction has entries on both sides of it. */
  until: string;
  identities: readonly string[];
}

/**
 * Applies the changes of segments to restored databases that have no indexes, and calls `assertHeld` before
 * each batch. Returns their number.
 */
export async function replay(options: Replay, assertHeld?: () => Promise<void>): Promise<number> {
  let applied = 0;
  for await (const { file, db, changes } of missingChanges(options)) {
    await assertHeld?.();
    for (const [collection, changed] of Map.groupBy(changes, (change) => change.collection))
      await applyAll(db.collection(collection), changed, file);
    applied += changes.length;
  }
  return applied;
}

/** Reads the segments whole. Throws when one is damaged, or has a change that cannot be repeated. */
export async function checkChanges(options: Replay): Promise<void> {
  for await (const _ of missingChanges(options));
}

/** The changes that the databases lack, in their order. */
async function* missingChanges({ segments, databases, manifest, until, identities }: Replay) {
  const reached = new Map(Object.entries(manifest.oplog!).map(([name, { at }]) => [name, at]));
  for (const segment of segments) {
    const { place, ranges, encryption } = segment;
    const documents = readDocuments(place, CHANGES, encryption ? identities : null);
    const header = (await documents.next()).value;
    if (!header || !isDeepStrictEqual(BSON.deserialize(header), { ranges }))
      throw new Error(`${place.name} has changes of another time than its manifest says`);
    let count = 0;
    for await (const batch of batches(documents)) {
      count += batch.length;
      const read = batch.map((bytes) => BSON.deserialize(bytes, { promoteValues: false }) as Change);
      for (const [name, own] of Map.groupBy(read, ({ database }) => database)) {
        const [db, range] = [databases.get(name), ranges[name]];
        if (!range)
          throw new Error(`${place.name} has changes of a database that its manifest does not name`);
        if (!db) continue;
        const changes = own.filter((change) => {
          const at = positionOf(change.ts);
          if (at <= range.from || at > range.to)
            throw new Error(`${place.name} has a change of another time`);
          // Segments may overlap.
          if (at <= reached.get(name)! || at >= until) return false;
          assertRepeatable(change, place.name);
          return isRestored(change.collection, idOf(change));
        });
        yield { file: place.name, db, changes };
      }
    }
    if (count !== segment.changes)
      throw new Error(`${place.name} has ${count} changes of ${segment.changes}`);
    for (const [name, { to }] of Object.entries(ranges))
      if (to > (reached.get(name) ?? '')) reached.set(name, to);
  }
}

/** Keeps control characters of a segment, which somebody may have forged, off the operator's terminal. */
const printable = (text: string) => text.slice(0, 100).replaceAll(/[^\w.$ -]/g, '?');

const idOf = ({ o, o2 }: Change): unknown => (o2 ?? o)?.['_id'];

/** Throws unless the change is one of these kinds in a collection of content, whoever wrote the segment. */
function assertRepeatable({ ts, op, collection, o, o2 }: Change, file: string): void {
  const isKnown = CollectionName.safeParse(collection).success;
  const isOfDocument = o && (op === 'i' || op === 'd' || (op === 'u' && o2));
  if (isKnown && (isOfDocument || op === 'create' || op === 'drop')) return;
  throw new Error(
    `${file}: the change at ${timeOfPosition(positionOf(ts))} cannot be repeated (${printable(`${op} ${collection}`)}): choose an earlier time, or one after the next backup`,
  );
}

/** Documents are read to be changed: few at once, because each may have 16 MiB. */
const CHANGES_AT_ONCE = 100;

async function applyAll(collection: Collection, changes: readonly Change[], file: string): Promise<void> {
  for (let at = 0; at < changes.length; at += CHANGES_AT_ONCE)
    await apply(collection, changes.slice(at, at + CHANGES_AT_ONCE)).catch((error) => {
      // The message of MongoDB would contain documents, which can be secret.
      const reason =
        error instanceof MongoError ? (error as { codeName?: string }).codeName : 'its document differs';
      throw new Error(`${file}: a change was not applied (${reason ?? 'MongoDB refused it'})`);
    });
}

/**
 * Applies changes of one collection with ordinary writes. `applyOps` of MongoDB would lock the whole server:
 * verifying a backup would stop the product.
 */
async function apply(collection: Collection, changes: readonly Change[]): Promise<void> {
  const updated = changes.filter(({ op }) => op === 'u').map(idOf) as ObjectId[];
  const found = collection.find({ _id: { $in: updated } }, { promoteValues: false });
  const documents = new Map((await found.toArray()).map((document) => [keyOf(document._id), document]));
  const results = new Map<string, AnyBulkWriteOperation>();
  for (const change of changes) {
    const { op, o } = change;
    if (op === 'drop') {
      documents.clear();
      results.clear();
      await collection.drop();
    }
    if (op === 'drop' || op === 'create') continue;
    const filter = { _id: { $eq: idOf(change) } } as Document;
    const key = keyOf(idOf(change));
    if (op === 'd') {
      documents.delete(key);
      results.set(key, { deleteOne: { filter } });
    } else {
      const replacement = (op === 'u' ? updatedDocument(documents.get(key), o!) : o!) as WithId<Document>;
      documents.set(key, replacement);
      results.set(key, { replaceOne: { filter, replacement, upsert: true } });
    }
  }
  if (results.size > 0) await collection.bulkWrite([...results.values()], { ordered: false });
}

const keyOf = (_id: unknown) => Buffer.from(BSON.serialize({ _id })).toString('base64');
