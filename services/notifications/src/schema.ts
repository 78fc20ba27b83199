import type { Schema } from '@waymark/service-kit/store';
import { indexes, ownedCollections } from './store/collections.ts';

export const schema: Schema = {
  service: 'notifications',
  indexes,
  shardedBy: ownedCollections,
  owned: ownedCollections,
};
