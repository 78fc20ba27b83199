import type { Decision } from '@waymark/contracts';
import { firstRows } from '@waymark/data-transfer';
import type { RequestContext } from '@waymark/service-kit/http';
import { makeZip } from 'client-zip';
import type { TransferContext } from '../context.ts';
import { madrOf, type NameOf } from '../madr/format-madr.ts';
import { madrFileName } from '../madr/madr-file-name.ts';
import { memberNames } from '../madr/members.ts';
import { decisionsSnapshot, type Snapshot } from './workspace-snapshot.ts';

/** All decisions as a ZIP archive, oldest first. The audit event is committed before the first byte. */
export async function exportMadr({ call, commit, limitPages }: TransferContext, ctx: RequestContext) {
  const { workspaceId } = ctx.access;
  const snapshot = await decisionsSnapshot(call, workspaceId, (pages) => limitPages(ctx, pages));
  const { nameOf } = await memberNames(call, workspaceId);
  await commit(ctx, async (tx) => {
    const subject = { type: 'workspace' as const, id: workspaceId, version: 1 };
    tx.emit('workspace.exported_madr', { subject, data: {} });
  });
  return { stream: makeZip(filesOf(snapshot, nameOf)), fileName: `decisions-${workspaceId}.zip` };
}

async function* filesOf(snapshot: Snapshot, nameOf: NameOf) {
  let number = 0;
  for await (const page of snapshot.get('decisions')?.() ?? []) {
    for (const decision of JSON.parse(`[${firstRows(page)}]`) as Decision[]) {
      number += 1;
      yield {
        name: madrFileName(number, decision.title),
        lastModified: new Date(decision.updated_at),
        input: madrOf(decision, nameOf),
      };
    }
  }
}
