import type { Schema } from '@waymark/service-kit/store';
import { decisionIndexes, ownedCollections, shardedBy } from './store/collections.ts';

/** The database schema, which migrations create. */
export const schema: Schema = {
  service: 'decisions',
  indexes: decisionIndexes,
  shardedBy,
  owned: ownedCollections,
};
