import type { Schemas } from '@waymark/client/api';

/** Names who imported a record, whose author comes from the file. Renders nothing for other records. */
export function ImportedBy({ author }: { author: Schemas['Author'] | null }) {
  return author && <span> · imported by {author.name ?? 'somebody'}</span>;
}
