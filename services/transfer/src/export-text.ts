import { type ExportCollection, exportCollections, type WorkspaceExport } from '@waymark/contracts';
import type { Snapshot } from './workspace-snapshot.ts';

type Head = Omit<WorkspaceExport, ExportCollection>;

/**
 * An export as JSON text, piece by piece: never more than a page of it is in memory. Fails when a collection has more or
 * fewer rows than the head says, so that no reader gets a document that contradicts itself.
 */
export async function* exportText(
  head: Head,
  pages: Snapshot<ExportCollection>['pages'],
): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const collection of exportCollections) {
    yield `,"${collection}":[`;
    let rows = 0;
    for await (const page of pages[collection]()) {
      if (page.length === 0) continue;
      const text = JSON.stringify(page).slice(1, -1);
      yield rows === 0 ? text : `,${text}`;
      rows += page.length;
    }
    const counted = head.counts[collection];
    if (rows !== counted) throw new Error(`${rows} ${collection} where ${counted} were counted`);
    yield ']';
  }
  yield '}\n';
}
