import type { Schema } from '@waymark/service-kit/store';
import { indexes, ownedCollections } from './store/index.ts';

export const schema: Schema = { service: 'threads', indexes: indexes, shardedBy: ownedCollections };
