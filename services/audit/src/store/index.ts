import type { AuditEntry, AuditHead, CursorCodec } from '@waymark/contracts';
import {
  type Database,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { Filter } from 'mongodb';
import { canonical } from '../chain/chain.ts';
import { chainReader } from './chain-reader.ts';
import { auditCollections, headOf } from './collections.ts';
import { type EntryRecord, entryOf, recordOf } from './entry-record.ts';

export interface AuditFilters {
  action?: string | undefined;
  resource_type?: string | undefined;
  /** Id of a key or user. */
  actor?: string | undefined;
  /** RFC 3339: at or after, and before. */
  from?: string | undefined;
  to?: string | undefined;
}

const APPEND_TIMEOUT_MS = 10_000;

export type AuditStore = ReturnType<typeof auditStore>;

export function auditStore(database: Database, cursors: CursorCodec) {
  const { entries, heads } = auditCollections(database);
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
