import type { RequestContext, StreamedBody } from '@waymark/service-kit/http';
import type { DecisionsContext } from '../context.ts';
import { csvOf } from './csv.ts';

/** Streams all or the given decisions as CSV, newest first, once the export is recorded for the audit log. */
export async function exportDecisionsCsv(
  { store, commit }: DecisionsContext,
  ctx: RequestContext,
  ids: readonly string[] | undefined,
): Promise<StreamedBody> {
  const { workspaceId } = ctx.access;
  await commit(ctx, async (tx) => {
    tx.emit('decision.exported', { subject: { type: 'decision', id: workspaceId, version: 1 }, data: {} });
  });
  return { stream: csvOf(store.all(workspaceId, ids)), fileName: `decisions-${workspaceId}.csv` };
}
