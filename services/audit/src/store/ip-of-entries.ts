import type { MigrationStep } from '@waymark/service-kit/store';
import type { AnyBulkWriteOperation } from 'mongodb';
import { ENTRIES, HELD } from './collections.ts';
import { ipIn } from './entry-record.ts';

interface OlderRecord {
  _id: string;
  chain: string;
  details: string;
  ip?: string | null;
}

const TOGETHER = 1_000;

/** Copies the address out of the details of entries that were written without the copy. */
export const ipOfEntries: MigrationStep = {
  id: '0001-ip-of-entries',
  async up(db) {
    for (const name of [ENTRIES, HELD]) {
      const records = db.collection<OlderRecord>(name);
      const older = records.find({ ip: { $exists: false }, details: { $ne: null as unknown as string } });
      let writes: AnyBulkWriteOperation<OlderRecord>[] = [];
      const write = async () => {
        if (writes.length > 0) await records.bulkWrite(writes, { ordered: false });
        writes = [];
      };
      for await (const { _id, chain, details } of older.project<OlderRecord>({ chain: 1, details: 1 })) {
        // Unless the details were erased meanwhile.
        const filter = { _id, chain, details };
        writes.push({ updateOne: { filter, update: { $set: { ip: ipIn(details) } } } });
        if (writes.length === TOGETHER) await write();
      }
      await write();
    }
  },
};
