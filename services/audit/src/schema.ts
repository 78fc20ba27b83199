import type { Schema } from '@waymark/service-kit/store';
import { auditIndexes, ownedCollections } from './store/collections.ts';

/** The collections and indexes of the service, and the shard key of each. */
export const schema: Schema = { service: 'audit', indexes: auditIndexes, shardedBy: ownedCollections };
