import type { AuditVerification } from '@waymark/contracts';
import { type Database, fromDocument, inTransaction, toDocument } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import type { ChainFault } from '../chain/chain.ts';
import { auditCollections, type HeldRecord, type StopRecord } from './collections.ts';

const HELD_AT_ONCE = 250;

/** The part of the store about chains that accept no entries until an operator resumes them. */
export function stoppedChains(database: Database) {
  const { stopped, held } = auditCollections(database);
  return {
    async stoppedAmong(chains: readonly string[]): Promise<Set<string>> {
      const found = await stopped.find({ _id: { $in: [...chains] } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    stoppedChain: (chain: string): Promise<StopRecord | null> => stopped.findOne({ _id: chain }),

    async stopOf(chain: string): Promise<AuditVerification['stopped']> {
      const found = await stopped.findOne({ _id: chain });
      if (!found) return null;
      return { reason: found.reason, at: found.at, held_events: await held.countDocuments({ chain }) };
    },

    async *allStopped(): AsyncGenerator<StopRecord> {
      yield* stopped.find().sort({ _id: 1 });
    },

    /** Stops a chain, unless it is stopped already; false in that case. */
    async stop(chain: string, { reason, fault }: ChainFault, at: string): Promise<boolean> {
      const begin = { $setOnInsert: { reason, fault, at, held: 0 } };
      return (await stopped.updateOne({ _id: chain }, begin, { upsert: true })).upsertedCount > 0;
    },

    /** Keeps the events of a stopped chain, each once; false if the chain is no longer stopped. */
    hold(chain: string, records: readonly HeldRecord[]): Promise<boolean> {
      return inTransaction(database.client, async (session: ClientSession) => {
        const { matchedCount } = await stopped.updateOne({ _id: chain }, { $inc: { held: 1 } }, { session });
        if (matchedCount === 0) return false;
        const upserts = records.map(toDocument).map(({ _id, ...rest }) => ({
          updateOne: { filter: { _id, chain }, update: { $setOnInsert: rest }, upsert: true },
        }));
        await held.bulkWrite(upserts, { session });
        return true;
      });
    },

    /** The oldest held events. */
    async held(chain: string): Promise<HeldRecord[]> {
      const found = await held.find({ chain }).sort({ _id: 1 }).limit(HELD_AT_ONCE).toArray();
      return found.map((document) => fromDocument<HeldRecord>(document));
    },

    async removeHeld(chain: string, ids: readonly string[]): Promise<void> {
      await held.deleteMany({ chain, _id: { $in: [...ids] } });
    },

    /** Ends the stop; false if events were held since `before` was read. */
    async endStop(before: StopRecord): Promise<boolean> {
      return (await stopped.deleteOne({ _id: before._id, held: before.held })).deletedCount > 0;
    },

    /** The number of stopped chains by reason. */
    async countStopped(): Promise<Map<string, number>> {
      const groups = stopped.aggregate<{ _id: string; count: number }>([
        { $group: { _id: '$reason', count: { $sum: 1 } } },
      ]);
      return new Map((await groups.toArray()).map(({ _id, count }) => [_id, count]));
    },
  };
}
