import type { Schema } from '@waymark/service-kit/store';
import { importIndexes, ownedCollections } from './store/index.ts';

/** Not sharded, because replicas look for work in all workspaces. */
export const schema: Schema = { service: 'transfer', indexes: importIndexes, owned: ownedCollections };
