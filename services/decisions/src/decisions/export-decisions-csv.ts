import type { RequestContext, StreamedBody } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { DecisionStore } from '../store/index.ts';
import { csvOf } from './csv.ts';

/** All decisions as CSV, newest first, after the audit log has been told of the export. */
export async function exportDecisions(
  { commit }: ServiceRuntime,
  store: DecisionStore,
  ctx: RequestContext,
): Promise<StreamedBody> {
  const { workspaceId } = ctx.access;
  await commit(ctx, async (tx) => {
    tx.emit('decision.exported', { subject: { type: 'decision', id: workspaceId, version: 1 }, data: {} });
  });
  return { stream: csvOf(store.all(workspaceId)), fileName: `decisions-${workspaceId}.csv` };
}
