import { isDeepStrictEqual } from 'node:util';
import { BSON, type Db, type Document } from 'mongodb';
import { isRestored } from '../content.ts';
import { batches, readDocuments } from '../documents.ts';
import { CollectionName, type Manifest } from '../manifest.ts';
import { positionOf, timeOfPosition } from '../position.ts';
import type { Change } from './read-oplog.ts';
import { CHANGES, type Segment } from './segments.ts';

interface Replay {
  segments: readonly Segment[];
  /** By their names in the backup, whose content they have. */
  databases: ReadonlyMap<string, Db>;
  manifest: Manifest;
  /** Exclusive, and the begin of a second: no transaction has entries on both sides of it. */
  until: string;
  identities: readonly string[];
}

/**
 * Creates the collections of a backup, which `replay` needs also where they are empty. Throws before anything
 * is written if the user may not apply changes.
 */
export async function createCollections(db: Db, name: string, manifest: Manifest): Promise<void> {
  const collections = Object.keys(manifest.counts[name]!);
  await apply(
    db,
    collections.map((collection) => command(db, 'create', collection)),
    name,
  );
}

/** Applies the changes of segments to restored databases that have no indexes. Returns their number. */
export async function replay({ segments, databases, manifest, until, identities }: Replay): Promise<number> {
  let applied = 0;
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
      const changes = batch.map((bytes) => BSON.deserialize(bytes, { promoteValues: false }) as Change);
      for (const [name, own] of Map.groupBy(changes, ({ database }) => database)) {
        const [db, range] = [databases.get(name), ranges[name]];
        if (!range)
          throw new Error(`${place.name} has changes of a database that its manifest does not name`);
        if (!db) continue;
        const operations = own.flatMap((change) => {
          const at = positionOf(change.ts);
          if (at <= range.from || at > range.to)
            throw new Error(`${place.name} has a change of another time`);
          // Segments may overlap.
          return at <= reached.get(name)! || at >= until ? [] : operationsOf(change, db, place.name);
        });
        await apply(db, operations, place.name);
        applied += operations.length;
      }
    }
    if (count !== segment.changes)
      throw new Error(`${place.name} has ${count} changes of ${segment.changes}`);
    for (const [name, { to }] of Object.entries(ranges))
      if (to > (reached.get(name) ?? '')) reached.set(name, to);
  }
  return applied;
}

const command = (db: Db, name: 'create' | 'drop', collection: string) => ({
  op: 'c',
  ns: `${db.databaseName}.$cmd`,
  o: { [name]: collection },
});

/** Whoever wrote the segment does not write to the operator's terminal. */
const printable = (text: string) => text.slice(0, 100).replaceAll(/[^\w.$ -]/g, '?');

/** Returns operations of applyOps: of these kinds and in this database only, whoever wrote the segment. */
function operationsOf({ ts, op, collection, o, o2 }: Change, db: Db, file: string): Document[] {
  const isKnown = CollectionName.safeParse(collection).success;
  if (isKnown && (op === 'create' || op === 'drop')) return [command(db, op, collection)];
  if (!isKnown || !o || !(op === 'i' || op === 'd' || (op === 'u' && o2)))
    throw new Error(
      `${file}: the change at ${timeOfPosition(positionOf(ts))} cannot be repeated (${printable(`${op} ${collection}`)}): choose an earlier time, or one after the next backup`,
    );
  if (!isRestored(collection, (o2 ?? o)['_id'])) return [];
  return [{ op, ns: `${db.databaseName}.${collection}`, o, ...(o2 && { o2 }) }];
}

/** Applies each command alone: together with others, MongoDB demands every privilege. */
async function apply(db: Db, operations: readonly Document[], file: string): Promise<void> {
  let writes: Document[] = [];
  for (const operation of operations) {
    if (operation['op'] !== 'c') {
      writes.push(operation);
      continue;
    }
    await applyTogether(db, writes, file);
    await applyTogether(db, [operation], file);
    writes = [];
  }
  await applyTogether(db, writes, file);
}

/** The message of MongoDB would contain documents, which can be secret. */
async function applyTogether(db: Db, operations: readonly Document[], file: string): Promise<void> {
  if (operations.length === 0) return;
  await db.command({ applyOps: operations, writeConcern: { w: 'majority' } }).catch(({ codeName }) => {
    throw new Error(`${file}: MongoDB has not applied a change (${codeName ?? 'connection lost'})`);
  });
}
