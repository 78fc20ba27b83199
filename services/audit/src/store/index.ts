import {
  type AuditEntry,
  type AuditHead,
  type AuditSegment,
  type InputOf,
  limits,
  newId,
  type Operations,
} from '@waymark/contracts';
import {
  type Database,
  inTransaction,
  type KeysetPage,
  type PageRequest,
  recordCollection,
  toDocument,
  viewPage,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { canonical } from '../chain/chain.ts';
import { auditCollections, ENTRIES, headOf } from './collections.ts';
import { type EntryRecord, entryOf, recordOf } from './entry-record.ts';
import { type CountedFacets, facetsOf } from './facets.ts';
import { retentionStore } from './retention.ts';
import { stoppedChains } from './stopped-chains.ts';

type AuditFilters = Omit<InputOf<Operations['listAuditLog']>['query'], 'workspace_id' | keyof PageRequest>;

const APPEND_TIMEOUT_MS = 10_000;

export type AuditStore = ReturnType<typeof openStore>;

export function openStore(database: Database) {
  const { heads, checkpoints, segments } = auditCollections(database);
  const { collection: entries, page: pageOf } = recordCollection<EntryRecord>(database, ENTRIES);
  const retention = retentionStore(database);

  return {
    ...retention,
    ...stoppedChains(database),

    /**
     * Appends the entries that `seal` makes from the head of each chain, all in one transaction, and returns
     * the heads. Throws a duplicate-key error when an entry exists or another process moved a head first.
     */
    async append(
      chains: string[],
      seal: (chain: string, head: AuditHead | null) => { entries: AuditEntry[]; head: AuditHead },
    ): Promise<AuditHead[]> {
      const work = async (session: ClientSession) => {
        const found = await heads.find({ _id: { $in: chains } }, { session }).toArray();
        const before = new Map(found.map((head) => [head._id, headOf(head)]));
        const sealed = chains.map((chain) => seal(chain, before.get(chain) ?? null));
        const documents = sealed.flatMap(({ entries }) => entries.map(recordOf).map(toDocument));
        await entries.insertMany(documents, { session });
        const moves = sealed.map(({ head: { chain: _id, ...replacement } }) => {
          // If another process has moved the head, the upsert inserts a duplicate of its id.
          const filter = { _id, seq: before.get(_id)?.seq ?? 0 };
          return { replaceOne: { filter, replacement, upsert: true } };
        });
        await heads.bulkWrite(moves, { session });
        return sealed.map(({ head }) => head);
      };
      const options = { readConcern: { level: 'snapshot' }, timeoutMs: APPEND_TIMEOUT_MS } as const;
      return inTransaction(database.client, work, options);
    },

    /** Replaces the head of a stopped chain and adds a segment. Removes unproven segments and checkpoints. */
    async replaceHead(
      chain: string,
      head: AuditHead | null,
      { segment, provenSeq }: { segment: AuditSegment | null; provenSeq: number },
    ): Promise<void> {
      await inTransaction(database.client, async (session) => {
        await segments.deleteMany({ chain, until_seq: { $gt: provenSeq } }, { session });
        await checkpoints.deleteMany({ _id: chain, seq: { $gt: provenSeq } }, { session });
        if (segment) await segments.insertOne({ _id: newId(), ...segment }, { session });
        await heads.deleteOne({ _id: chain }, { session });
        if (!head) return;
        const { chain: _id, ...rest } = head;
        await heads.insertOne({ _id, ...rest }, { session });
      });
    },

    async knownIds(ids: string[]): Promise<string[]> {
      const found = await entries.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },

    /** The stored heads of these chains. */
    async headsOf(chains: readonly string[]): Promise<Map<string, AuditHead>> {
      const found = await heads.find({ _id: { $in: [...chains] } }).toArray();
      return new Map(found.map((head) => [head._id, headOf(head)]));
    },

    async hashAt(chain: string, seq: number): Promise<string | null> {
      return (await entries.findOne({ chain, seq }, { projection: { hash: 1 } }))?.hash ?? null;
    },

    async lastSeq(chain: string): Promise<number> {
      return (await entries.findOne({ chain }, { sort: { seq: -1 }, projection: { seq: 1 } }))?.seq ?? 0;
    },

    /** The actions, types and actors of the newest entries, most frequent first. */
    async facets(chain: string): Promise<CountedFacets> {
      const checkpoint = await retention.checkpoint(chain);
      const newest = await entries
        .aggregate<EntryRecord & { count: number }>([
          { $match: filterOf(chain, {}, checkpoint?.seq ?? 0) },
          { $sort: { seq: -1 } },
          { $limit: limits.auditFacetEntries },
          {
            $group: {
              _id: { action: '$action', type: '$resource_type', actor: '$actor.id' },
              count: { $sum: 1 },
              newest: { $first: '$$ROOT' },
            },
          },
          { $replaceRoot: { newRoot: { $mergeObjects: ['$newest', { count: '$count' }] } } },
          { $sort: { seq: -1 } },
        ])
        .toArray();
      return facetsOf(newest.map((record) => ({ ...entryOf(record), count: record.count })));
    },

    async list(chain: string, filters: AuditFilters, page: PageRequest): Promise<KeysetPage<AuditEntry>> {
      const checkpoint = await retention.checkpoint(chain);
      const filter = filterOf(chain, filters, checkpoint?.seq ?? 0);
      const scope = canonical({ list: 'audit_log', chain, filters });
      const found = await pageOf(filter, [['seq', -1]], page, scope);
      return viewPage(found, entryOf);
    },
  };
}

function filterOf(chain: string, filters: AuditFilters, afterSeq: number) {
  const { action, resource_type, resource_id, actor, ip, from, to } = filters;
  const times = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
  return {
    chain,
    // Entries before the checkpoint are being removed, and no verification covers them.
    ...(afterSeq > 0 && { seq: { $gt: afterSeq } }),
    ...(action !== undefined && { action }),
    ...(resource_type !== undefined && { resource_type }),
    ...(resource_id !== undefined && { resource_id }),
    ...(actor !== undefined && { 'actor.id': actor }),
    ...(ip !== undefined && { ip }),
    ...(Object.keys(times).length > 0 && { created_at: times }),
  };
}
