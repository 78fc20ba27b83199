import type { Database } from '@waymark/service-kit/store';
import { FILL } from './collections.ts';

/** How far the records of each kind from before this service are known: up to an id; null for all of them. */
export function fillStore(database: Database) {
  const collection = database.collection<{ _id: string; after: string | null }>(FILL);
  return {
    async position(kind: string): Promise<string | null> {
      const found = await collection.findOne({ _id: kind });
      return found ? found.after : '';
    },

    async keep(kind: string, after: string | null): Promise<void> {
      await collection.updateOne({ _id: kind }, { $set: { after } }, { upsert: true });
    },
  };
}
