import type { RequestContext, StreamedBody } from '@waymark/service-kit/http';
import type { DecisionsContext } from '../context.ts';
import { csvOf } from './csv.ts';

/** Streams all decisions as CSV, newest first, once the export is recorded for the audit log. */
export async function exportDecisionsCsv(
  { store, commit }: DecisionsContext,
  ctx: RequestContext,
): Promise<StreamedBody> {
  const { workspaceId } = ctx.access;
  await commit(ctx, async (tx) => {
    tx.emit('decision.exported', { subject: { type: 'decision', id: workspaceId, version: 1 }, data: {} });
  });
  return { stream: csvOf(store.all(workspaceId)), fileName: `decisions-${workspaceId}.csv` };
}
