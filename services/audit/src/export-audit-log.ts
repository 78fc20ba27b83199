import type { AuditCheckpoint, AuditEntry, AuditHead, AuditSegment } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { AuditContext } from './context.ts';
import { entriesFor } from './withhold-details.ts';

const CHUNK_CHARACTERS = 64 * 1024;

/** Streams a chain as NDJSON, and records the export itself in the audit log. */
export async function exportAuditLog(service: AuditContext, ctx: RequestContext) {
  const chain = ctx.access.workspaceId;
  const checkpoint = await service.store.checkpoint(chain);
  const segments = await service.store.segments(chain);
  const head = await service.store.head(chain);
  await service.commit(ctx, async (tx) => {
    tx.emit('audit_log.exported', { subject: { type: 'audit_log', id: chain, version: 1 }, data: {} });
  });
  const pages = exportLines(service, chain, { checkpoint, segments, head, shown: entriesFor(ctx) });
  const stream = service.limitPages(ctx, pages);
  return { stream, fileName: `audit-log-${chain}.ndjson` };
}

/**
 * Yields the checkpoint, if any, the segments, the entries up to `head`, oldest first, then the head, in
 * constant memory. Throws, which ends the download early, when retention removes entries meanwhile.
 */
async function* exportLines(
  { store, keys }: AuditContext,
  chain: string,
  {
    checkpoint,
    segments,
    head,
    shown,
  }: {
    checkpoint: AuditCheckpoint | null;
    segments: AuditSegment[];
    head: AuditHead | null;
    shown: (entry: AuditEntry) => AuditEntry;
  },
): AsyncGenerator<string> {
  const lastSeq = head?.seq ?? 0;
  let lines = checkpoint ? `${JSON.stringify({ checkpoint })}\n` : '';
  for (const segment of segments) lines += `${JSON.stringify({ segment })}\n`;
  let seq = checkpoint?.seq ?? 0;
  async function checkKept(): Promise<void> {
    if ((await store.checkpoint(chain))?.seq !== checkpoint?.seq)
      throw new Error('retention removed entries during their export');
  }
  for await (const entry of store.read(chain, { after: seq, lastSeq })) {
    if (entry.seq !== seq + 1) await checkKept();
    seq = entry.seq;
    lines += `${JSON.stringify(shown(entry))}\n`;
    if (lines.length > CHUNK_CHARACTERS) {
      yield lines;
      lines = '';
    }
  }
  if (seq < lastSeq) await checkKept();
  // The export names its key, which the verifier must get from another source to trust it.
  const public_key = keys.publicKeys.get(head?.key_id ?? keys.keyId)?.text ?? '';
  yield `${lines}${JSON.stringify({ head, public_key })}\n`;
}
