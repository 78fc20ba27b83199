import { MIGRATIONS } from '@waymark/service-kit/store';
import { BSON, type Db, type Document, type MongoClient, type Timestamp } from 'mongodb';
import { isContent } from '../content.ts';
import { positionOf, timestampOf } from '../position.ts';
import type { Range } from './segments.ts';

/** One change of one collection. `other` cannot be repeated; `collection` is then the name of the command. */
export interface Change {
  ts: Timestamp;
  database: string;
  op: 'i' | 'u' | 'd' | 'create' | 'drop' | 'other';
  collection: string;
  o?: Document;
  o2?: Document;
}

/** Commands without content: migrations create indexes; collections are dropped before their database. */
const INDEXES =
  /^(createIndexes|startIndexBuild|commitIndexBuild|abortIndexBuild|dropIndexes|collMod|dropDatabase)$/;

/** Throws for mongos, which has no oplog. */
export async function assertReplicaSet(client: MongoClient): Promise<void> {
  const { msg, setName } = await client.db('admin').command({ hello: 1 });
  if (msg === 'isdbgrid' || !setName)
    throw new Error('MONGODB_URL is not of a replica set: only its oplog has the changes between backups');
}

/** Identifies a database: another one under its name, such as a restored one, has another identity. */
export async function identityOf(db: Db): Promise<string | undefined> {
  const [migrations] = await db.listCollections({ name: MIGRATIONS }).toArray();
  return migrations && 'info' in migrations ? migrations.info?.uuid?.toString() : undefined;
}

const oplogOf = (client: MongoClient) =>
  client
    .db('local')
    .collection('oplog.rs', { readPreference: 'primary', readConcern: { level: 'majority' } });

async function oldestPosition(client: MongoClient): Promise<string> {
  const oldest = await oplogOf(client).findOne({}, { sort: { $natural: 1 }, projection: { ts: 1 } });
  return positionOf(oldest!['ts']);
}

/**
 * Returns the range that continues the first of `starts` that is of the same database and still in the oplog.
 * Throws when there is none.
 */
export async function nextRange(
  db: Db,
  name: string,
  starts: readonly ({ id: string; at: string } | undefined)[],
): Promise<Range> {
  const { operationTime } = await db.command({ ping: 1 });
  const to = positionOf(operationTime);
  // After `to` was read: the database was not replaced before.
  const id = await identityOf(db);
  const oldest = await oldestPosition(db.client);
  const start = starts.find((one) => one && one.id === id && one.at >= oldest && one.at <= to);
  if (!start) throw new Error(lost(name));
  return { id: start.id, from: start.at, to };
}

const lost = (name: string) =>
  `the oplog lacks changes of ${name} since the last backup, or its database was restored since: make a full backup with waymark backup`;

/** Reads the changes of a database as they were replicated to a majority, in the order of the oplog. */
export async function* changesIn(db: Db, name: string, { from, to }: Range): AsyncGenerator<Change> {
  const { client, databaseName } = db;
  const session = client.startSession();
  session.advanceOperationTime(timestampOf(to));
  const ns = { $gte: `${databaseName}.`, $lt: `${databaseName}/` };
  const cursor = oplogOf(client).find(
    {
      ts: { $gt: timestampOf(from), $lte: timestampOf(to) },
      op: { $ne: 'n' },
      // Transactions.
      $or: [{ ns }, { 'o.applyOps': { $elemMatch: { ns } } }],
    },
    { raw: true, session, projection: { ts: 1, op: 1, ns: 1, o: 1, o2: 1 } },
  );
  try {
    // From here on, the cursor fails if the oplog loses entries that it has not read.
    await cursor.hasNext();
    if ((await oldestPosition(client)) > from) throw new Error(lost(name));
    for await (const raw of cursor) {
      const entry = BSON.deserialize(raw as unknown as Uint8Array, { promoteValues: false });
      yield* changesOf(entry, databaseName).map((change) => ({ ts: entry['ts'], database: name, ...change }));
    }
  } finally {
    await cursor.close();
    await session.endSession();
  }
}

type Part = Omit<Change, 'ts' | 'database'>;

function changesOf({ op, ns, o, o2 }: Document, database: string): Part[] {
  const operations = op === 'c' && o['applyOps'];
  // Transactions are prepared on shards only.
  if (operations && o['prepare']) return [{ op: 'other', collection: 'prepare' }];
  if (operations) return operations.flatMap((inner: Document) => changesOf(inner, database));
  if (!ns.startsWith(`${database}.`)) return [];
  if (op === 'c') return commandOf(o);
  const collection = ns.slice(database.length + 1);
  if (!isContent(collection)) return [];
  if (op === 'i' || op === 'u' || op === 'd') return [{ op, collection, o, ...(o2 && { o2 }) }];
  return [{ op: 'other', collection: String(op) }];
}

function commandOf(command: Document): Part[] {
  const [name = ''] = Object.keys(command);
  if (INDEXES.test(name)) return [];
  if (name !== 'create' && name !== 'drop') return [{ op: 'other', collection: name }];
  return isContent(command[name]) ? [{ op: name, collection: command[name] }] : [];
}
