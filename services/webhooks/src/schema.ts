import type { Schema } from '@waymark/service-kit/store';
import { ownedCollections, webhookIndexes } from './store/index.ts';

/** The indexes and shard keys that a migration creates. */
export const schema: Schema = {
  service: 'webhooks',
  indexes: webhookIndexes,
  shardedBy: ownedCollections,
  owned: ownedCollections,
};
