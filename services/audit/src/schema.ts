import type { Schema } from '@waymark/service-kit/store';
import { auditIndexes, ownedCollections } from './store/collections.ts';

export const schema: Schema = { service: 'audit', indexes: auditIndexes, shardedBy: ownedCollections };
