import { type AuditHead, type EventEnvelope, newId } from '@waymark/contracts';
import { fromDocument, type Stored, toDocument } from '@waymark/service-kit/store';
import type { MongoClient } from 'mongodb';
import { type Draft, draftOf, GENESIS, sealEntries } from '../../services/audit/src/chain/chain.ts';
import { readSigningKeys, signHead } from '../../services/audit/src/chain/signing.ts';
import { type EntryRecord, entryOf, recordOf } from '../../services/audit/src/store/entry-record.ts';

const ACTIONS = ['decision.create', 'decision.update', 'node.create', 'message.create'];
const ENTRIES_AT_ONCE = 2_000;

/** A workspace's chain and the minimum number of entries. */
export interface WantedChain {
  chain: string;
  entries: number;
}

/**
 * Extends chains with copies of an entry of the first chain, hashed and signed as the service does. Each
 * portion leaves the chains valid.
 */
export async function growChains(
  mongo: MongoClient,
  wanted: readonly WantedChain[],
  signingKeys: string,
): Promise<void> {
  const db = mongo.db('waymark_audit');
  const entries = db.collection<Stored<EntryRecord>>('entries');
  const heads = db.collection<Omit<AuditHead, 'chain'> & { _id: string }>('heads');
  const keys = readSigningKeys(signingKeys);
  const model = await entries.findOne({ chain: wanted[0]!.chain, action: 'decision.create' });
  if (!model) throw new Error('the measured workspace has no audit entry to copy');
  const copied = entryOf(fromDocument<EntryRecord>(model));

  function copy(chain: string, seq: number): Draft {
    const subject = { type: copied.resource_type, id: newId(), version: 1 };
    const action = ACTIONS[seq % ACTIONS.length]!;
    const event = { ...copied, id: newId(), workspace_id: chain, action, subject, time: copied.created_at };
    return draftOf(event as unknown as EventEnvelope & { action: string });
  }

  /** Appends one portion to the chains and returns whether they have their length. */
  async function append(portion: readonly WantedChain[]): Promise<boolean> {
    const ids = portion.map(({ chain }) => chain);
    return mongo.withSession((session) =>
      session.withTransaction(async () => {
        const before = await heads.find({ _id: { $in: ids } }, { session }).toArray();
        const ends = new Map(before.map((head) => [head._id, head]));
        const short = portion.filter(({ chain, entries: count }) => (ends.get(chain)?.seq ?? 0) < count);
        if (short.length === 0) return true;
        const sealed = short.map(({ chain, entries: count }) => {
          const end = ends.get(chain) ?? GENESIS;
          const length = Math.min(ENTRIES_AT_ONCE, count - end.seq);
          return sealEntries(
            Array.from({ length }, (_, i) => copy(chain, end.seq + i)),
            end,
          );
        });
        const rows = sealed.flat().map((entry) => toDocument(recordOf(entry)));
        await entries.insertMany(rows, { session });
        const moves = sealed.map((added) => {
          const { seq, hash, workspace_id } = added.at(-1)!;
          const { chain: _id, ...replacement } = signHead({ chain: workspace_id!, seq, hash }, keys);
          return { replaceOne: { filter: { _id }, replacement, upsert: true } };
        });
        await heads.bulkWrite(moves, { session });
        return false;
      }),
    );
  }

  for (let at = 0; at < wanted.length; ) {
    const count = Math.max(1, Math.floor(ENTRIES_AT_ONCE / wanted[at]!.entries));
    if (await append(wanted.slice(at, at + count))) at += count;
  }
}
