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
): AsyncGenerator<string | Buffer> {
  yield JSON.stringify(head).slice(0, -1);
  for (const collection of exportCollections) {
    yield `,"${collection}":[`;
    let rows = 0;
    const counted = head.counts[collection];
    // What is empty as of the moment needs no look: links would be looked for in every decision.
    for await (const page of counted === 0 ? [] : pages[collection]()) {
      if (page.count === 0) continue;
      if (rows > 0) yield ',';
      yield page.rows;
      rows += page.count;
    }
    if (rows !== counted) throw new Error(`${rows} ${collection} where ${counted} were counted`);
    yield ']';
  }
  yield '}\n';
}
