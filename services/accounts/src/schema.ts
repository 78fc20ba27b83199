import type { Schema } from '@waymark/service-kit/store';
import { indexes } from './store/index.ts';

/** Not sharded: keys, sessions and emails are unique across workspaces. */
export const schema: Schema = { service: 'accounts', indexes };
