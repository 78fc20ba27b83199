import type { Schema } from '@waymark/service-kit/store';
import { decisionIndexes, shardedBy } from './store/collections.ts';
import { removeRepeatedHistory } from './store/history-once.ts';
import { recountAll } from './store/recount.ts';

/** What a migration makes of the database. */
export const schema: Schema = {
  service: 'decisions',
  indexes: decisionIndexes,
  shardedBy,
  steps: [
    { id: '0001-tally-decisions', up: recountAll },
    { id: '0002-history-once', up: removeRepeatedHistory },
  ],
};
