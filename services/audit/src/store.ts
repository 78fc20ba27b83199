import type { AuditCheckpoint, AuditEntry, AuditHead, CursorCodec } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  isDuplicate,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit';
import type { Filter } from 'mongodb';
import { canonical, chainOf, type Details, detailsOf } from './chain.ts';

/** An entry as it is stored: the details as JSON text, so that no field name in them can trouble the store. */
type EntryRecord = Omit<AuditEntry, keyof Details | 'actor'> & {
  chain: string;
  actor: Pick<AuditEntry['actor'], 'type' | 'id'>;
  details: string | null;
};

export interface AuditFilters {
  action?: string | undefined;
  resource_type?: string | undefined;
  /** Id of a key or user. */
  actor?: string | undefined;
  /** RFC 3339: at or after, and before. */
  from?: string | undefined;
  to?: string | undefined;
}

const ENTRIES = 'entries';
const HEADS = 'heads';
const CHECKPOINTS = 'checkpoints';
const READ_ENTRIES = 500;
const APPEND_TIMEOUT_MS = 10_000;

export const auditIndexes: Indexes = {
  [ENTRIES]: [
    { key: { chain: 1, seq: 1 }, unique: true },
    { key: { chain: 1, action: 1, seq: 1, created_at: 1 } },
    { key: { chain: 1, resource_type: 1, seq: 1, created_at: 1 } },
    { key: { chain: 1, 'actor.id': 1, seq: 1, created_at: 1 } },
    { key: { chain: 1, created_at: 1, seq: 1 } },
  ],
  [HEADS]: [],
  [CHECKPOINTS]: [],
};

/** What goes with a workspace, by the field that names it: its chain has its id. */
export const ownedCollections = { [ENTRIES]: 'chain', [HEADS]: '_id', [CHECKPOINTS]: '_id' };

export type AuditStore = ReturnType<typeof auditStore>;

export function auditStore(database: Database, cursors: CursorCodec) {
  const entries = database.collection<Stored<EntryRecord>>(ENTRIES);
  const heads = database.collection<Omit<AuditHead, 'chain'> & { _id: string }>(HEADS);
  const chains = chainReader(database);

  return {
    /**
     * Appends to each chain what `seal` makes of its head: entries and heads in one transaction. Throws a
     * duplicate-key error when an entry is there already or another process moved a head first.
     */
    async append(
      chains: string[],
      seal: (chain: string, head: AuditHead | null) => { entries: AuditEntry[]; head: AuditHead },
    ): Promise<void> {
      await database.client.withSession((session) =>
        session.withTransaction(
          async () => {
            const found = await heads.find({ _id: { $in: chains } }, { session }).toArray();
            const before = new Map(found.map((head) => [head._id, headOf(head)]));
            const sealed = chains.map((chain) => seal(chain, before.get(chain) ?? null));
            const documents = sealed.flatMap(({ entries }) => entries.map(recordOf).map(toDocument));
            await entries.insertMany(documents, { session });
            const moves = sealed.map(({ head: { chain: _id, ...replacement } }) => {
              // Were the head elsewhere by now, the upsert would meet its id: a duplicate.
              const filter = { _id, seq: before.get(_id)?.seq ?? 0 };
              return { replaceOne: { filter, replacement, upsert: true } };
            });
            await heads.bulkWrite(moves, { session });
          },
          { readConcern: { level: 'snapshot' }, timeoutMS: APPEND_TIMEOUT_MS },
        ),
      );
    },

    /** Those of `ids` that have an entry. */
    async knownIds(ids: string[]): Promise<string[]> {
      const found = await entries.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },

    ...chains,

    /** Whether there are entries after `seq`. */
    async hasBehind(chain: string, seq: number): Promise<boolean> {
      return (await entries.findOne({ chain, seq: { $gt: seq } }, { projection: { _id: 1 } })) !== null;
    },

    /** A page of a chain, newest first. */
    async list(chain: string, filters: AuditFilters, page: PageRequest): Promise<KeysetPage<AuditEntry>> {
      const checkpoint = await chains.checkpoint(chain);
      const found = await keysetPage<EntryRecord>({
        collection: entries,
        filter: filterOf(chain, filters, checkpoint?.seq ?? 0),
        sort: [['seq', -1]],
        page,
        cursors,
        scope: canonical({ list: 'audit_log', chain, filters }),
      });
      return { ...found, items: found.items.map(entryOf) };
    },
  };
}

/** What verification reads of a chain. */
function chainReader(database: Pick<Database, 'collection'>) {
  const entries = database.collection<Stored<EntryRecord>>(ENTRIES);
  const heads = database.collection<Omit<AuditHead, 'chain'> & { _id: string }>(HEADS);
  const checkpoints = database.collection<CheckpointRecord>(CHECKPOINTS);
  return {
    async head(chain: string): Promise<AuditHead | null> {
      const found = await heads.findOne({ _id: chain });
      return found && headOf(found);
    },

    /** Where the chain begins, if not at its first entry; as stored: only verification tells whether it holds. */
    async checkpoint(chain: string): Promise<AuditCheckpoint | null> {
      const found = await checkpoints.findOne({ _id: chain });
      if (!found) return null;
      const { _id, ...rest } = found;
      return { chain: _id, ...rest };
    },

    /** The entries of a chain behind `after` up to `lastSeq`, oldest first, in constant memory. */
    async *read(chain: string, span: { after: number; lastSeq: number }): AsyncGenerator<AuditEntry> {
      const cursor = entries
        .find({ chain, seq: { $gt: span.after, $lte: span.lastSeq } })
        .sort({ seq: 1 })
        .batchSize(READ_ENTRIES);
      for await (const document of cursor) yield entryOf(fromDocument<EntryRecord>(document));
    },
  };
}

type CheckpointRecord = Omit<AuditCheckpoint, 'chain'> & { _id: string };

function filterOf(
  chain: string,
  { action, resource_type, actor, from, to }: AuditFilters,
  afterSeq: number,
): Filter<Stored<EntryRecord>> {
  const moments = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
  return {
    chain,
    // What stands before the checkpoint is on its way out, and no verification covers it.
    ...(afterSeq > 0 && { seq: { $gt: afterSeq } }),
    ...(action !== undefined && { action }),
    ...(resource_type !== undefined && { resource_type }),
    ...(actor !== undefined && { 'actor.id': actor }),
    ...(Object.keys(moments).length > 0 && { created_at: moments }),
  };
}

function headOf({ _id, ...head }: Omit<AuditHead, 'chain'> & { _id: string }): AuditHead {
  return { chain: _id, ...head };
}

/** The fields that are stored as they stand in an entry. */
const PLAIN = [
  'id',
  'seq',
  'workspace_id',
  'action',
  'resource_type',
  'resource_id',
  'request_id',
  'created_at',
  'details_salt',
  'details_hash',
  'hash',
  'prev_hash',
] as const;

function plain(record: Pick<AuditEntry, (typeof PLAIN)[number]>): Pick<AuditEntry, (typeof PLAIN)[number]> {
  return Object.fromEntries(PLAIN.map((field) => [field, record[field]])) as ReturnType<typeof plain>;
}

function recordOf(entry: AuditEntry): EntryRecord {
  const { type, id } = entry.actor;
  return {
    ...plain(entry),
    chain: chainOf(entry),
    actor: { type, id },
    details: canonical(detailsOf(entry)),
  };
}

const ERASED: Details = { name: null, key_prefix: null, ip: null, user_agent: null, changes: null };

function entryOf(record: EntryRecord): AuditEntry {
  const { name, key_prefix, ip, user_agent, changes } = parseDetails(record.details);
  return { ...plain(record), actor: { ...record.actor, name, key_prefix }, ip, user_agent, changes };
}

/** Erased details are null. Text that someone damaged reads as such too, and then fails the chain's verification. */
function parseDetails(details: string | null): Details {
  try {
    return { ...ERASED, ...(details === null ? {} : (JSON.parse(details) as Details)) };
  } catch {
    return ERASED;
  }
}

/** Entries lose their details and the salt, without which the details' hash says nothing. */
export function entryErasure(database: Database) {
  const entries = database.collection<Stored<EntryRecord>>(ENTRIES);
  const erased = { $set: { details: null, details_salt: null } };
  return {
    /** Of what the person did, and of what mentions the person. */
    async ofPerson({ userId, email }: { userId: string; email: string }): Promise<number> {
      const mentioned = new RegExp([userId, email].map(literal).join('|'));
      const theirs = { $or: [{ 'actor.id': userId }, { resource_id: userId }, { details: mentioned }] };
      return (await entries.updateMany({ ...theirs, details: { $ne: null } }, erased)).modifiedCount;
    },
  };
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export type RetentionStore = ReturnType<typeof retentionStore>;

/** What retention needs of the store. */
export function retentionStore(database: Pick<Database, 'collection'>) {
  const entries = database.collection<Stored<EntryRecord>>(ENTRIES);
  const heads = database.collection<{ _id: string }>(HEADS);
  const checkpoints = database.collection<CheckpointRecord>(CHECKPOINTS);
  return {
    ...chainReader(database),

    /** Every chain that has a head. */
    async *chains(): AsyncGenerator<string> {
      for await (const { _id } of heads.find({}, { projection: { _id: 1 } })) yield _id;
    },

    /** The oldest entry that is stored, also one before the checkpoint. */
    first(chain: string): Promise<Pick<AuditEntry, 'seq' | 'created_at'> | null> {
      return entries.findOne({ chain }, { sort: { seq: 1 }, projection: { seq: 1, created_at: 1 } });
    },

    /** Moves the checkpoint on from where it was read; false where another process was first or the chain is gone. */
    async moveCheckpoint(checkpoint: AuditCheckpoint, before: AuditCheckpoint | null): Promise<boolean> {
      const { chain: _id, ...replacement } = checkpoint;
      try {
        // Were it elsewhere by now, the upsert would meet its id.
        await checkpoints.replaceOne({ _id, seq: before?.seq ?? 0 }, replacement, { upsert: true });
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
      // A workspace that was deleted meanwhile leaves nothing; its head goes before its checkpoint.
      if (await heads.findOne({ _id })) return true;
      await checkpoints.deleteOne({ _id });
      return false;
    },

    /** Removes the entries up to `seq`; returns how many. */
    async removeUpTo(chain: string, seq: number): Promise<number> {
      return (await entries.deleteMany({ chain, seq: { $lte: seq } })).deletedCount;
    },
  };
}
