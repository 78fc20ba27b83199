import type { Db } from 'mongodb';
import { HISTORY, type StoredHistory } from './collections.ts';

/** Keeps one record of each update: a workspace's own export, imported back, was once stored beside what it told of. */
export async function removeRepeatedHistory(db: Db): Promise<void> {
  const history = db.collection<StoredHistory>(HISTORY);
  const repeated = history.aggregate<{ ids: string[] }>(
    [
      {
        $group: {
          _id: { workspace_id: '$workspace_id', decision_id: '$decision_id', version: '$version' },
          ids: { $push: '$_id' },
        },
      },
      { $match: { 'ids.1': { $exists: true } } },
    ],
    { allowDiskUse: true },
  );
  // They are alike but for their ids.
  for await (const { ids } of repeated) await history.deleteMany({ _id: { $in: ids.toSorted().slice(1) } });
}
