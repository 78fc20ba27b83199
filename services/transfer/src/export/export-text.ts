import { type ExportCollection, exportCollections, type WorkspaceExport } from '@waymark/contracts';
import { firstRows } from '@waymark/data-transfer';
import type { Snapshot } from './workspace-snapshot.ts';

type Head = Omit<WorkspaceExport, ExportCollection | 'counts'>;

/**
 * An export as JSON text, piece by piece: never more than a page of it is in memory. What was written is counted behind it:
 * counts before it would have to be made by reading everything first.
 */
export async function* exportText(
  head: Head,
  { held, pages }: Snapshot<ExportCollection>,
): AsyncGenerator<string | Buffer> {
  const counts: [ExportCollection, number][] = [];
  yield JSON.stringify(head).slice(0, -1);
  for (const collection of exportCollections) {
    yield `,"${collection}":[`;
    let rows = 0;
    // What holds nothing as of the moment needs no look: links would be looked for in every decision.
    for await (const page of held.has(collection) ? pages[collection]() : []) {
      if (page.count === 0) continue;
      yield rows === 0 ? firstRows(page) : page.rows;
      rows += page.count;
    }
    counts.push([collection, rows]);
    yield ']';
  }
  yield `,"counts":${JSON.stringify(Object.fromEntries(counts))}}\n`;
}
