import type { Schema } from '@waymark/service-kit/store';
import { indexes, ownedCollections } from './store/index.ts';

export const schema: Schema = {
  service: 'workflows',
  indexes,
  shardedBy: ownedCollections,
  owned: ownedCollections,
};
