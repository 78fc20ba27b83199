import type { Schema } from '@waymark/service-kit/store';
import { searchIndexes, shardedBy } from './store/items.ts';

/** What a migration makes of the database. */
export const schema: Schema = { service: 'search', indexes: searchIndexes, shardedBy: shardedBy };
