import type { AuditCheckpoint, AuditHead } from '@waymark/contracts';
import type { Database, Indexes, Stored } from '@waymark/service-kit/store';
import type { EntryRecord } from './entry-record.ts';

const ENTRIES = 'entries';
const HEADS = 'heads';
const CHECKPOINTS = 'checkpoints';

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

/** The collections with data of a workspace, and the field that names it: a workspace's chain has its id. */
export const ownedCollections = { [ENTRIES]: 'chain', [HEADS]: '_id', [CHECKPOINTS]: '_id' };

type HeadRecord = Omit<AuditHead, 'chain'> & { _id: string };
type CheckpointRecord = Omit<AuditCheckpoint, 'chain'> & { _id: string };

export const headOf = ({ _id, ...head }: HeadRecord): AuditHead => ({ chain: _id, ...head });

export const auditCollections = (database: Pick<Database, 'collection'>) => ({
  entries: database.collection<Stored<EntryRecord>>(ENTRIES),
  heads: database.collection<HeadRecord>(HEADS),
  checkpoints: database.collection<CheckpointRecord>(CHECKPOINTS),
});
