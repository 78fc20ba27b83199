import type { AuditCheckpoint, AuditEntry, AuditHead, AuditSegment } from '@waymark/contracts';
import { type Database, fromDocument, isDuplicate } from '@waymark/service-kit/store';
import { auditCollections, headOf } from './collections.ts';
import { type EntryRecord, entryOf } from './entry-record.ts';

const READ_ENTRIES = 500;

export type RetentionStore = ReturnType<typeof retentionStore>;

/** The part of the store that verification and retention use. */
export function retentionStore(database: Pick<Database, 'collection'>) {
  const { entries, heads, checkpoints, segments } = auditCollections(database);
  return {
    async head(chain: string): Promise<AuditHead | null> {
      const found = await heads.findOne({ _id: chain });
      return found && headOf(found);
    },

    /** The checkpoint where a truncated chain begins. Only a verification shows whether it is genuine. */
    async checkpoint(chain: string): Promise<AuditCheckpoint | null> {
      const found = await checkpoints.findOne({ _id: chain });
      if (!found) return null;
      const { _id, ...rest } = found;
      return { chain: _id, ...rest };
    },

    /** The segments after gaps of the chain. Only a verification shows whether they are genuine. */
    async segments(chain: string): Promise<AuditSegment[]> {
      return segments
        .find({ chain }, { projection: { _id: 0 } })
        .sort({ until_seq: 1 })
        .toArray();
    },

    /** Yields the entries after `after` up to `lastSeq`, oldest first, in constant memory. */
    async *read(chain: string, { after, lastSeq }: { after: number; lastSeq: number }) {
      const found = entries.find({ chain, seq: { $gt: after, $lte: lastSeq } });
      for await (const document of found.sort({ seq: 1 }).batchSize(READ_ENTRIES))
        yield entryOf(fromDocument<EntryRecord>(document));
    },

    /** Yields the chains of all entries, including chains whose head is gone. Reads every entry. */
    async *chainsOfEntries(): AsyncGenerator<string> {
      for await (const { _id } of entries.aggregate<{ _id: string }>([{ $group: { _id: '$chain' } }]))
        yield _id;
    },

    async *chains(): AsyncGenerator<string> {
      for await (const { _id } of heads.find({}, { projection: { _id: 1 } })) yield _id;
    },

    async hasAfter(chain: string, seq: number): Promise<boolean> {
      return (await entries.findOne({ chain, seq: { $gt: seq } }, { projection: { _id: 1 } })) !== null;
    },

    /** The oldest stored entry, even if it is before the checkpoint. */
    first(chain: string): Promise<Pick<AuditEntry, 'seq' | 'created_at'> | null> {
      return entries.findOne({ chain }, { sort: { seq: 1 }, projection: { seq: 1, created_at: 1 } });
    },

    /** Replaces the checkpoint `before`; false when another process was first or the chain is gone. */
    async moveCheckpoint(checkpoint: AuditCheckpoint, before: AuditCheckpoint | null): Promise<boolean> {
      const { chain: _id, ...replacement } = checkpoint;
      try {
        // If it has moved meanwhile, the filter finds nothing and the upsert is a duplicate of its id.
        await checkpoints.replaceOne({ _id, seq: before?.seq ?? 0 }, replacement, { upsert: true });
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
      // If the workspace was deleted meanwhile, its head first, the checkpoint must not remain.
      if (await heads.findOne({ _id })) return true;
      await checkpoints.deleteOne({ _id });
      return false;
    },

    async removeUpTo(chain: string, seq: number): Promise<number> {
      await segments.deleteMany({ chain, until_seq: { $lte: seq } });
      return (await entries.deleteMany({ chain, seq: { $lte: seq } })).deletedCount;
    },
  };
}
