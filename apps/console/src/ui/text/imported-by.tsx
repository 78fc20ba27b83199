import type { Schemas } from '@waymark/client/api';
import { uiTexts as t } from '../../texts/ui.ts';

/** Names who imported a record, whose author comes from the file. Renders nothing for other records. */
export function ImportedBy({ author }: { author: Schemas['Author'] | null }) {
  return author && <span> · {t.importedBy(author.name)}</span>;
}
