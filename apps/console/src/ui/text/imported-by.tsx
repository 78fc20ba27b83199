import type { Schemas } from '@waymark/client/api';

/** Names who imported a record, whose author is then what the file says; renders nothing for other records. */
export function ImportedBy({ author }: { author: Schemas['Author'] | null }) {
  return author && <span> · imported by {author.name ?? 'somebody'}</span>;
}
