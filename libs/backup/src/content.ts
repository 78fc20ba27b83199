import { LOCK, MIGRATIONS, UNFINISHED_RESTORE } from '@waymark/service-kit/store';

/** Collections that belong to an installation and its stream, not to its content. */
const LEFT_OUT = new Set([LOCK, UNFINISHED_RESTORE, 'outbox_meta', 'backups']);
/** Records that are not restored: the next migration creates the indexes. */
const NOT_RESTORED = /^(collection|index|shards) /;

/** Whether backups have a collection. */
export const isContent = (collection: string) =>
  !LEFT_OUT.has(collection) && !collection.startsWith('system.');

/** Whether a restoration writes a document. */
export const isRestored = (collection: string, id: unknown) =>
  collection !== MIGRATIONS || !NOT_RESTORED.test(String(id));
