import { type Database, erasePersonFromTrash } from '@waymark/service-kit/store';
import { APPROVALS, DECISIONS, FORECASTS, HISTORY, OUTCOMES } from './store/collections.ts';

export { exportSources } from './transfer/export-sources.ts';

/** Where a person's name stands beside the id: by collection, the fields with both. */
const PEOPLE = {
  [DECISIONS]: ['creator', 'last_review.reviewer', 'imported_by'],
  [OUTCOMES]: ['imported_by'],
  [HISTORY]: [
    'actor',
    'changes.last_review.before.reviewer',
    'changes.last_review.after.reviewer',
    'imported_by',
  ],
  [APPROVALS]: ['approver', 'imported_by'],
  [FORECASTS]: ['forecaster', 'imported_by'],
};

/** Removes a person's name wherever it stands beside the id. Returns how often it stood there. */
export async function erasePersonFromDecisions(database: Database, userId: string): Promise<number> {
  let erased = await erasePersonFromTrash(database, userId, PEOPLE);
  for (const [collection, fields] of Object.entries(PEOPLE)) {
    for (const field of fields) {
      const theirs = { [`${field}.id`]: userId, [`${field}.name`]: { $ne: null } };
      const change = { $set: { [`${field}.name`]: null } };
      erased += (await database.collection(collection).updateMany(theirs, change)).modifiedCount;
    }
  }
  return erased;
}
