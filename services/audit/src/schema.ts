import type { Schema } from '@waymark/service-kit/store';
import { auditIndexes, ownedCollections } from './store/collections.ts';
import { ipOfEntries } from './store/ip-of-entries.ts';

export const schema: Schema = {
  service: 'audit',
  indexes: auditIndexes,
  shardedBy: ownedCollections,
  owned: ownedCollections,
  steps: [ipOfEntries],
};
