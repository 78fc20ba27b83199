import type { Schema } from '@waymark/service-kit/store';
import { importIndexes } from './store/index.ts';

/**
 * What a migration creates in the database. Not sharded: replicas look for work in all workspaces at once.
 */
export const schema: Schema = { service: 'transfer', indexes: importIndexes };
