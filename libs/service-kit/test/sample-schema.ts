import type { Schema } from '../src/store/migration/schema.ts';

/** Two collections and a step that changes the data of one. */
export const sampleSchema: Schema = {
  service: 'decisions',
  indexes: {
    things: [{ key: { workspace_id: 1, name: 1 }, unique: true }, { key: { name: 1 } }],
    others: [],
  },
  shardedBy: { things: 'workspace_id' },
  steps: [
    {
      id: '0001-upper-case-names',
      async up(db) {
        await db.collection('things').updateMany({}, [{ $set: { name: { $toUpper: '$name' } } }]);
      },
    },
  ],
};
