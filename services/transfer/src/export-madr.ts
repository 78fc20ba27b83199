import type { Decision } from '@waymark/contracts';
import type { RequestContext, ServiceRuntime, StreamedBody } from '@waymark/service-kit';
import { makeZip } from 'client-zip';
import { madrOf } from './madr.ts';
import { madrFileName } from './madr-file-name.ts';
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

/** Numbered from 1; fails when there are not as many as were counted. */
async function* filesOf({ counts, pages }: Snapshot<'decisions'>) {
  let number = 0;
  for await (const page of pages.decisions()) {
    for (const decision of JSON.parse(`[${page.rows}]`) as Decision[]) {
      number += 1;
      yield {
        name: madrFileName(number, decision.title),
        lastModified: new Date(decision.updated_at),
        input: madrOf(decision),
      };
    }
  }
  if (number !== counts.decisions)
    throw new Error(`${number} decisions where ${counts.decisions} were counted`);
}
