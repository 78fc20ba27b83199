/** Cache tags: a cached look-up depends on these records, and each tag carries the record's version. */
export const keyTag = (hash: string) => `key:${hash}`;
export const sessionTag = (hash: string) => `session:${hash}`;
export const userTag = (id: string) => `user:${id}`;
export const workspaceTag = (id: string) => `workspace:${id}`;
