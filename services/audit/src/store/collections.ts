import type { AuditCheckpoint, AuditHead, AuditSegment } from '@waymark/contracts';
import type { Database, Indexes, Stored } from '@waymark/service-kit/store';
import type { Signature } from '../chain/signing.ts';
import type { EntryRecord } from './entry-record.ts';
import { eventLogIndexes, eventLogOwned } from './event-log.ts';

export const ENTRIES = 'entries';
const HEADS = 'heads';
const CHECKPOINTS = 'checkpoints';
const SEGMENTS = 'segments';
const STOPPED = 'stopped_chains';
export const HELD = 'held_events';

export const auditIndexes: Indexes = {
  [ENTRIES]: [
    { key: { chain: 1, seq: 1 }, unique: true },
    { key: { chain: 1, action: 1, seq: 1, created_at: 1 } },
    { key: { chain: 1, resource_type: 1, seq: 1, created_at: 1 } },
    { key: { chain: 1, resource_id: 1, seq: 1, created_at: 1 } },
    { key: { chain: 1, ip: 1, seq: 1, created_at: 1 } },
    { key: { chain: 1, 'actor.id': 1, seq: 1, created_at: 1 } },
    { key: { chain: 1, created_at: 1, seq: 1 } },
  ],
  [HEADS]: [],
  [CHECKPOINTS]: [],
  [SEGMENTS]: [{ key: { chain: 1, until_seq: 1 } }],
  [STOPPED]: [],
  [HELD]: [{ key: { chain: 1, _id: 1 } }],
  ...eventLogIndexes,
};

/** The collections with data of a workspace, and the field that names it: a workspace's chain has its id. */
export const ownedCollections = {
  ...{ [ENTRIES]: 'chain', [HEADS]: '_id', [CHECKPOINTS]: '_id' },
  ...{ [SEGMENTS]: 'chain', [HELD]: 'chain', [STOPPED]: '_id' },
  ...eventLogOwned,
};

type HeadRecord = Omit<AuditHead, 'chain'> & { _id: string };
type CheckpointRecord = Omit<AuditCheckpoint, 'chain'> & { _id: string };
type SegmentRecord = AuditSegment & { _id: string };
export interface StopRecord {
  _id: string;
  reason: AuditSegment['reason'];
  /** The fault in words. */
  fault: string;
  at: string;
  /** How often events were held. A chain is resumed only if no event was held meanwhile. */
  held: number;
}
/** A signed entry that has no place in its chain yet. */
export type HeldRecord = Omit<EntryRecord, 'seq' | 'hash' | 'prev_hash'> & Signature;

export const headOf = ({ _id, ...head }: HeadRecord): AuditHead => ({ chain: _id, ...head });

export const auditCollections = (database: Pick<Database, 'collection'>) => ({
  entries: database.collection<Stored<EntryRecord>>(ENTRIES),
  heads: database.collection<HeadRecord>(HEADS),
  checkpoints: database.collection<CheckpointRecord>(CHECKPOINTS),
  segments: database.collection<SegmentRecord>(SEGMENTS),
  stopped: database.collection<StopRecord>(STOPPED),
  held: database.collection<Stored<HeldRecord>>(HELD),
});
