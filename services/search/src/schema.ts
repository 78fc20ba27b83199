import type { Schema } from '@waymark/service-kit/store';
import { ownedCollections, searchIndexes, shardedBy } from './store/items.ts';

/** The database that a migration creates. */
export const schema: Schema = {
  service: 'search',
  indexes: searchIndexes,
  owned: ownedCollections,
  shardedBy,
};
