import { type ExportCollection, exportCollections, type WorkspaceExport } from '@waymark/contracts';
import { firstRows } from '@waymark/data-transfer';
import type { Snapshot } from './workspace-snapshot.ts';

type Head = Omit<WorkspaceExport, ExportCollection | 'counts'>;

/** Writes an export as JSON text, one page at a time. Counts come last: counting first would read twice. */
export async function* exportText(head: Head, snapshot: Snapshot): AsyncGenerator<string | Buffer> {
  const counts: Partial<Record<ExportCollection, number>> = {};
  yield JSON.stringify(head).slice(0, -1);
  for (const collection of exportCollections) {
    yield `,"${collection}":[`;
    let rows = 0;
    for await (const page of snapshot.get(collection)?.() ?? []) {
      if (page.count === 0) continue;
      yield rows === 0 ? firstRows(page) : page.rows;
      rows += page.count;
    }
    counts[collection] = rows;
    yield ']';
  }
  yield `,"counts":${JSON.stringify(counts)}}\n`;
}
