import { ApiError, EXPORT_SCHEMA_VERSION } from '@waymark/contracts';
import type { RequestContext, StreamedBody } from '@waymark/service-kit/http';
import type { TransferContext } from '../context.ts';
import { exportText } from './export-text.ts';
import { workspaceSnapshot } from './workspace-snapshot.ts';

/** The whole workspace as one JSON document. The audit event is committed before the first byte. */
export async function exportWorkspace(
  { call, commit, now }: TransferContext,
  ctx: RequestContext,
): Promise<StreamedBody> {
  const { workspaceId } = ctx.access;
  const [{ workspace }, snapshot] = await Promise.all([
    call('readWorkspaceForExport', { params: { id: workspaceId } }),
    workspaceSnapshot(call, workspaceId),
  ]);
  if (!workspace) throw new ApiError('NOT_FOUND');
  await commit(ctx, async (tx) => {
    tx.emit('workspace.exported', { subject: { type: 'workspace', id: workspaceId, version: 1 }, data: {} });
  });
  const exported_at = new Date(now()).toISOString();
  const head = { schema_version: EXPORT_SCHEMA_VERSION, exported_at, workspace } as const;
  return { stream: exportText(head, snapshot), fileName: `workspace-${workspaceId}.json` };
}
