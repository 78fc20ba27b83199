import { type Database, erasePerson } from '@waymark/service-kit/store';
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

export const erasePersonFromDecisions = (database: Database, userId: string) =>
  erasePerson(database, userId, PEOPLE);
