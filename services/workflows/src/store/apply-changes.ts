import { type Stored, toDocument } from '@waymark/service-kit/store';
import type { ClientSession, Collection } from 'mongodb';
import type { RecordChanges } from '../records.ts';

interface AnyDocument {
  _id: string;
  workspace_id: string;
}

/** Deletes first, so that what is created may take the place of what was deleted. */
export async function applyChanges<T extends { id: string; workspace_id: string }>(
  collection: Collection<Stored<T>>,
  { created, updated, deleted }: RecordChanges<T>,
  session: ClientSession,
): Promise<void> {
  const documents = collection as unknown as Collection<AnyDocument>;
  if (deleted.length > 0) {
    const ids = deleted.map(({ id }) => id);
    await documents.deleteMany({ workspace_id: deleted[0]!.workspace_id, _id: { $in: ids } }, { session });
  }
  if (updated.length > 0) {
    const replacements = updated.map((record) => ({
      replaceOne: {
        filter: { workspace_id: record.workspace_id, _id: record.id },
        replacement: toDocument(record),
      },
    }));
    // Each replaces a document of its own. In order, MongoDB would take two to three times as long.
    await documents.bulkWrite(replacements, { session, ordered: false });
  }
  if (created.length > 0) await documents.insertMany(created.map(toDocument<T>), { session });
}
