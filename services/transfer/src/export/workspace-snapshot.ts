import { type ExportCollection, limits } from '@waymark/contracts';
import { type ExportPage, readExportPage } from '@waymark/data-transfer';
import type { CallInternal } from '@waymark/service-kit/http';
import { readAhead } from '../read-ahead.ts';

export type Pages = AsyncGenerator<Pick<ExportPage, 'rows' | 'count'>>;

/** Returns the same pages, of which few are read at once. */
export type Limited = (pages: Pages) => Pages;

/** The records of a workspace at one moment, by collection. Empty collections are absent. */
export type Snapshot = ReadonlyMap<ExportCollection, () => Pages>;

/** Snapshots all records: consistent within each service; services differ by a few milliseconds. */
export async function workspaceSnapshot(
  call: CallInternal,
  workspaceId: string,
  limited?: Limited,
): Promise<Snapshot> {
  const parts = await Promise.all([
    decisionsSnapshot(call, workspaceId, limited),
    serviceSnapshot(call, workspaceId, 'beginWorkflowsExport', 'readWorkflowsForExport', limited),
    serviceSnapshot(call, workspaceId, 'beginThreadsExport', 'readThreadsForExport', limited),
  ]);
  return new Map(parts.flatMap((part) => [...part]));
}

export const decisionsSnapshot = (call: CallInternal, workspaceId: string, limited?: Limited) =>
  serviceSnapshot(call, workspaceId, 'beginDecisionsExport', 'readDecisionsForExport', limited);

async function serviceSnapshot(
  call: CallInternal,
  workspace_id: string,
  begin: 'beginDecisionsExport' | 'beginWorkflowsExport' | 'beginThreadsExport',
  read: 'readDecisionsForExport' | 'readWorkflowsForExport' | 'readThreadsForExport',
  limited: Limited = (pages) => pages,
): Promise<Snapshot> {
  const { as_of, held } = await call(begin, { query: { workspace_id } });
  const readPage = (collection: ExportCollection, page: { limit: number; after?: string }) =>
    call(read, { query: { workspace_id, as_of, collection: collection as never, ...page } });
  return new Map(
    held.map((collection) => [
      collection,
      () => readAhead(limited(pagesOf((page) => readPage(collection, page)))),
    ]),
  );
}

async function* pagesOf(read: (page: { limit: number; after?: string }) => Promise<Buffer>): Pages {
  let limit: number = limits.exportPageSize;
  let after: string | null = null;
  do {
    const position = after === null ? {} : { after };
    const { next, ...page } = readExportPage(await read({ limit, ...position }));
    limit = limitAfter(page);
    yield page;
    after = next;
  } while (after !== null);
}

function limitAfter({ rows, count }: Pick<ExportPage, 'rows' | 'count'>): number {
  const fitting = Math.floor((limits.exportPageBytes * count) / Math.max(1, rows.length));
  return Math.min(Math.max(1, fitting), limits.exportPageSizeMax);
}
