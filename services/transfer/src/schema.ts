import type { Schema } from '@waymark/service-kit';

/** What a migration makes of the database. */
export const schema: Schema = { service: 'transfer', indexes: {} };
