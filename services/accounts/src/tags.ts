/** What cached look-ups depend on; each carries the version of its record. */
export const keyTag = (hash: string) => `key:${hash}`;
export const sessionTag = (hash: string) => `session:${hash}`;
export const userTag = (id: string) => `user:${id}`;
export const workspaceTag = (id: string) => `workspace:${id}`;
