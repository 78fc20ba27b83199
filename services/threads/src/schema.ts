import type { Schema } from '@waymark/service-kit/store';
import { indexes, ownedCollections, THREADS } from './store/index.ts';

/** Allows one thread without a node; the index that also has the decision replaces it. */
const NODE_INDEX = 'workspace_id_1_node_id_1_generation_1';

export const schema: Schema = {
  service: 'threads',
  indexes,
  shardedBy: ownedCollections,
  owned: ownedCollections,
  steps: [
    {
      id: '0001-threads-of-decisions',
      async up(db) {
        const threads = db.collection(THREADS);
        if (await threads.indexExists(NODE_INDEX)) await threads.dropIndex(NODE_INDEX);
      },
    },
  ],
};
