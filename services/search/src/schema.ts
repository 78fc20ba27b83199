import type { Schema } from '@waymark/service-kit/store';
import { searchIndexes, shardedBy } from './store/items.ts';

/** The database that a migration creates. */
export const schema: Schema = { service: 'search', indexes: searchIndexes, shardedBy: shardedBy };
