import type { Decision } from '@waymark/contracts';
import { firstRows } from '@waymark/data-transfer';
import type { RequestContext, StreamedBody } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import { makeZip } from 'client-zip';
import { madrOf } from '../madr/format-madr.ts';
import { madrFileName } from '../madr/madr-file-name.ts';
import { decisionsSnapshot, type Snapshot } from './workspace-snapshot.ts';

/** All decisions as Markdown records in a ZIP archive, oldest first, after the audit log has been told of the export. */
export async function exportMadr(
  { call, commit }: ServiceRuntime,
  ctx: RequestContext,
): Promise<StreamedBody> {
  const { workspaceId } = ctx.access;
  const snapshot = await decisionsSnapshot(call, workspaceId);
  await commit(ctx, async (tx) => {
    const subject = { type: 'workspace', id: workspaceId, version: 1 };
    tx.emit('workspace.exported_madr', { subject, data: {} });
  });
  return { stream: makeZip(filesOf(snapshot)), fileName: `decisions-${workspaceId}.zip` };
}

/** Numbered from 1. */
async function* filesOf({ pages }: Pick<Snapshot<'decisions'>, 'pages'>) {
  let number = 0;
  for await (const page of pages.decisions()) {
    for (const decision of JSON.parse(`[${firstRows(page)}]`) as Decision[]) {
      number += 1;
      yield {
        name: madrFileName(number, decision.title),
        lastModified: new Date(decision.updated_at),
        input: madrOf(decision),
      };
    }
  }
}
