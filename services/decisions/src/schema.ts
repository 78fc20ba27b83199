import type { Schema } from '@waymark/service-kit/store';
import { decisionIndexes, shardedBy } from './store/collections.ts';

/** The database schema, which migrations create. */
export const schema: Schema = {
  service: 'decisions',
  indexes: decisionIndexes,
  shardedBy,
};
