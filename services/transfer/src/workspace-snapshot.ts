import { type ExportCollection, limits } from '@waymark/contracts';
import type { CallInternal } from '@waymark/service-kit';
import { readAhead } from './read-ahead.ts';

/** Rows of a collection, a page at a time. */
export type Pages = AsyncIterable<readonly unknown[]>;

export interface WorkspaceSnapshot {
  counts: Record<ExportCollection, number>;
  pages(collection: ExportCollection): Pages;
}

type ReadPage = (page: {
  limit: number;
  after?: string;
}) => Promise<{ data: unknown[]; next: string | null }>;

/**
 * What a workspace holds: what belongs to one service as of one moment, however long the reading takes. The moments of
 * different services are a few milliseconds apart.
 */
export async function takeSnapshot(call: CallInternal, workspaceId: string): Promise<WorkspaceSnapshot> {
  const query = { workspace_id: workspaceId };
  const [decisions, workflows, threads] = await Promise.all([
    call('countDecisionsForExport', { query }),
    call('countWorkflowsForExport', { query }),
    call('countThreadsForExport', { query }),
  ]);
  const ofDecisions =
    (collection: 'decisions' | 'outcomes' | 'links'): ReadPage =>
    (page) =>
      call('readDecisionsForExport', { query: { ...query, collection, as_of: decisions.as_of, ...page } });
  const ofWorkflows =
    (collection: 'workflows' | 'nodes' | 'edges'): ReadPage =>
    (page) =>
      call('readWorkflowsForExport', { query: { ...query, collection, as_of: workflows.as_of, ...page } });
  const ofThreads =
    (collection: 'threads' | 'messages'): ReadPage =>
    (page) =>
      call('readThreadsForExport', { query: { ...query, collection, as_of: threads.as_of, ...page } });
  const readers: Record<ExportCollection, ReadPage> = {
    workflows: ofWorkflows('workflows'),
    nodes: ofWorkflows('nodes'),
    edges: ofWorkflows('edges'),
    decisions: ofDecisions('decisions'),
    outcomes: ofDecisions('outcomes'),
    links: ofDecisions('links'),
    threads: ofThreads('threads'),
    messages: ofThreads('messages'),
  };
  return {
    counts: { ...decisions.counts, ...workflows.counts, ...threads.counts },
    pages: (collection) => readAhead(pagesOf(readers[collection])),
  };
}

async function* pagesOf(read: ReadPage): AsyncGenerator<unknown[]> {
  let after: string | null = null;
  do {
    const { data, next }: Awaited<ReturnType<ReadPage>> = await read({
      limit: limits.exportPageSize,
      ...(after !== null && { after }),
    });
    yield data;
    after = next;
  } while (after !== null);
}
