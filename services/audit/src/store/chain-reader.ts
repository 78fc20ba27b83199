import type { AuditCheckpoint, AuditEntry, AuditHead } from '@waymark/contracts';
import { type Database, fromDocument } from '@waymark/service-kit/store';
import { auditCollections, headOf } from './collections.ts';
import { type EntryRecord, entryOf } from './entry-record.ts';

const READ_ENTRIES = 500;

/** The part of the store that verification uses. */
export function chainReader(database: Pick<Database, 'collection'>) {
  const { entries, heads, checkpoints } = auditCollections(database);
  return {
    async head(chain: string): Promise<AuditHead | null> {
      const found = await heads.findOne({ _id: chain });
      return found && headOf(found);
    },

    /** Where the chain begins, if not at its first entry. Only verification tells whether it is genuine. */
    async checkpoint(chain: string): Promise<AuditCheckpoint | null> {
      const found = await checkpoints.findOne({ _id: chain });
      if (!found) return null;
      const { _id, ...rest } = found;
      return { chain: _id, ...rest };
    },

    /** Yields the entries after `after` up to `lastSeq`, oldest first, in constant memory. */
    async *read(chain: string, span: { after: number; lastSeq: number }): AsyncGenerator<AuditEntry> {
      const cursor = entries
        .find({ chain, seq: { $gt: span.after, $lte: span.lastSeq } })
        .sort({ seq: 1 })
        .batchSize(READ_ENTRIES);
      for await (const document of cursor) yield entryOf(fromDocument<EntryRecord>(document));
    },
  };
}
