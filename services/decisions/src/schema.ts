import type { Schema } from '@waymark/service-kit/store';
import { decisionIndexes, shardedBy } from './store/collections.ts';

/** What a migration makes of the database. */
export const schema: Schema = {
  service: 'decisions',
  indexes: decisionIndexes,
  shardedBy,
};
