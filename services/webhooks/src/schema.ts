import type { Schema } from '@waymark/service-kit/store';
import { ownedCollections, webhookIndexes } from './store/index.ts';

/** What a migration makes of the database. */
export const schema: Schema = { service: 'webhooks', indexes: webhookIndexes, shardedBy: ownedCollections };
