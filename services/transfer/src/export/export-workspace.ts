import {
  ApiError,
  EXPORT_SCHEMA_VERSION,
  type ExportCollection,
  exportCollections,
  readsSettings,
  type WorkspaceExport,
} from '@waymark/contracts';
import { firstRows } from '@waymark/data-transfer';
import type { CallInternal, RequestContext } from '@waymark/service-kit/http';
import type { TransferContext } from '../context.ts';
import { type Limited, type Snapshot, workspaceSnapshot } from './workspace-snapshot.ts';

/** The whole workspace as one JSON document. The audit event is committed before the first byte. */
export async function exportWorkspace(
  { call, commit, now, limitPages }: TransferContext,
  ctx: RequestContext,
) {
  const { workspaceId, hiddenForecasts, role } = ctx.access;
  // Who may change the setting may also export what it hides.
  const hidden: ExportCollection[] = hiddenForecasts && !readsSettings(role) ? ['forecasts'] : [];
  const stream = await workspaceText(call, workspaceId, new Date(now()), hidden, (pages) =>
    limitPages(ctx, pages),
  );
  if (!stream) throw new ApiError('NOT_FOUND');
  await commit(ctx, async (tx) => {
    tx.emit('workspace.exported', { subject: { type: 'workspace', id: workspaceId, version: 1 }, data: {} });
  });
  return { stream, fileName: `workspace-${workspaceId}.json` };
}

/** Returns a workspace's export as parts of a text, with no records in `hidden`; null for no workspace. */
export async function workspaceText(
  call: CallInternal,
  workspaceId: string,
  at: Date,
  hidden: readonly ExportCollection[] = [],
  limited?: Limited,
) {
  const [{ workspace }, snapshot] = await Promise.all([
    call('readWorkspaceForExport', { params: { id: workspaceId } }),
    workspaceSnapshot(call, workspaceId, limited),
  ]);
  if (!workspace) return null;
  const exported_at = at.toISOString();
  const shown = new Map([...snapshot].filter(([collection]) => !hidden.includes(collection)));
  return exportText({ schema_version: EXPORT_SCHEMA_VERSION, exported_at, workspace }, shown);
}

type Head = Omit<WorkspaceExport, ExportCollection | 'counts'>;

/** Writes an export as JSON text, one page at a time. Counts come last: counting first would read twice. */
async function* exportText(head: Head, snapshot: Snapshot): AsyncGenerator<string | Buffer> {
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
