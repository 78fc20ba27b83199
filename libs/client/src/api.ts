import type { components } from './schema.ts';

/** The part for browsers; it does not need Node. */
export * from './client.ts';
export { etagOf } from './operations.ts';
export { type ItemOf, iterate, type ListPath, pagesOf } from './pages.ts';
export type { operations, paths } from './schema.ts';
export { type CallOptions, createWaymark, Pages, type Waymark } from './waymark.ts';

/** The records and bodies of openapi.json by name: `Schemas['Decision']`. */
export type Schemas = components['schemas'];
