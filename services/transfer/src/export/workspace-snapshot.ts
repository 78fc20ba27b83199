import { type ExportCollection, limits } from '@waymark/contracts';
import { type ExportPage, readExportPage } from '@waymark/data-transfer';
import type { CallInternal } from '@waymark/service-kit/http';
import { readAhead } from '../read-ahead.ts';

/** Rows of a collection, a page at a time. */
export type Pages = AsyncIterable<Pick<ExportPage, 'rows' | 'count'>>;

/** What one service or all have of a workspace, to be read as of one moment. */
export interface Snapshot<C extends ExportCollection> {
  /** The collections that are not empty then. */
  held: ReadonlySet<C>;
  pages: Record<C, () => Pages>;
}

type ReadPage = (page: { limit: number; after?: string }) => Promise<Buffer>;

/**
 * What a workspace holds: what belongs to one service as of one moment, however long the reading takes. The moments of
 * different services are a few milliseconds apart.
 */
export async function workspaceSnapshot(
  call: CallInternal,
  workspaceId: string,
): Promise<Snapshot<ExportCollection>> {
  const [decisions, workflows, threads] = await Promise.all([
    decisionsSnapshot(call, workspaceId),
    workflowsSnapshot(call, workspaceId),
    threadsSnapshot(call, workspaceId),
  ]);
  return {
    held: new Set([...decisions.held, ...workflows.held, ...threads.held]),
    pages: { ...decisions.pages, ...workflows.pages, ...threads.pages },
  };
}

export async function decisionsSnapshot(
  call: CallInternal,
  workspace_id: string,
): Promise<Snapshot<'decisions' | 'outcomes' | 'history' | 'links'>> {
  const { as_of, held } = await call('beginDecisionsExport', { query: { workspace_id } });
  const pages = (collection: 'decisions' | 'outcomes' | 'history' | 'links') => () =>
    pagesOf((page) =>
      call('readDecisionsForExport', { query: { workspace_id, as_of, collection, ...page } }),
    );
  return {
    held: new Set(held),
    pages: {
      decisions: pages('decisions'),
      outcomes: pages('outcomes'),
      history: pages('history'),
      links: pages('links'),
    },
  };
}

async function workflowsSnapshot(
  call: CallInternal,
  workspace_id: string,
): Promise<Snapshot<'workflows' | 'nodes' | 'edges'>> {
  const { as_of, held } = await call('beginWorkflowsExport', { query: { workspace_id } });
  const pages = (collection: 'workflows' | 'nodes' | 'edges') => () =>
    pagesOf((page) =>
      call('readWorkflowsForExport', { query: { workspace_id, as_of, collection, ...page } }),
    );
  return {
    held: new Set(held),
    pages: { workflows: pages('workflows'), nodes: pages('nodes'), edges: pages('edges') },
  };
}

async function threadsSnapshot(
  call: CallInternal,
  workspace_id: string,
): Promise<Snapshot<'threads' | 'messages'>> {
  const { as_of, held } = await call('beginThreadsExport', { query: { workspace_id } });
  const pages = (collection: 'threads' | 'messages') => () =>
    pagesOf((page) => call('readThreadsForExport', { query: { workspace_id, as_of, collection, ...page } }));
  return { held: new Set(held), pages: { threads: pages('threads'), messages: pages('messages') } };
}

/** Every page, the next one on its way while one is worked on. */
function pagesOf(read: ReadPage): Pages {
  return readAhead(
    (async function* () {
      let limit: number = limits.exportPageSize;
      let after: string | null = null;
      do {
        const position = after === null ? {} : { after };
        const { next, ...page } = readExportPage(await read({ limit, ...position }));
        limit = limitAfter(page);
        yield page;
        after = next;
      } while (after !== null);
    })(),
  );
}

/** As many rows as have the bytes of a page, going by those of the one before: few large ones or many small ones. */
function limitAfter({ rows, count }: Pick<ExportPage, 'rows' | 'count'>): number {
  const fitting = Math.floor((limits.exportPageBytes * count) / Math.max(1, rows.length));
  return Math.min(Math.max(1, fitting), limits.exportPageSizeMax);
}
