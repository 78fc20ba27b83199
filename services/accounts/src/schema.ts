import type { Schema } from '@waymark/service-kit/store';
import { indexes } from './store/index.ts';

/** What a migration makes of the database. Not sharded: keys, sessions and addresses are unique over all workspaces. */
export const schema: Schema = { service: 'accounts', indexes: indexes };
