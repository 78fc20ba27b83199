/** Cache tags: a cached look-up depends on these records, and each tag carries the record's version. */
export const keyTag = (hash: string) => `key:${hash}`;
/** A grant has many access tokens, one after the other, whose look-ups all depend on it. */
export const tagOfKey = ({ id, key_hash, grant }: { id: string; key_hash: string; grant?: object }) =>
  grant ? `grant:${id}` : keyTag(key_hash);
export const sessionTag = (hash: string) => `session:${hash}`;
export const userTag = (id: string) => `user:${id}`;
export const workspaceTag = (id: string) => `workspace:${id}`;
