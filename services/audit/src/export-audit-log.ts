import type { AuditCheckpoint, AuditHead } from '@waymark/contracts';
import type { SigningKeys } from './chain/signing.ts';
import type { AuditStore } from './store/index.ts';

/** The last line of an export. The key it names tells which one to trust, not that it may be trusted. */
interface ExportEnd {
  head: AuditHead | null;
  public_key: string;
}

const CHUNK_CHARACTERS = 64 * 1024;

/**
 * NDJSON in constant memory: the checkpoint, where there is one, the entries from it up to `head`, oldest first, then the
 * head itself. Throws, which cuts the download off, when retention takes entries before they are read.
 */
export async function* exportAuditLog(
  store: AuditStore,
  keys: SigningKeys,
  chain: string,
  { checkpoint, head }: { checkpoint: AuditCheckpoint | null; head: AuditHead | null },
): AsyncGenerator<string> {
  const lastSeq = head?.seq ?? 0;
  let lines = checkpoint ? `${JSON.stringify({ checkpoint })}\n` : '';
  let seq = checkpoint?.seq ?? 0;
  for await (const entry of store.read(chain, { after: seq, lastSeq })) {
    if (entry.seq !== seq + 1) await assertKept(store, chain, checkpoint);
    seq = entry.seq;
    lines += `${JSON.stringify(entry)}\n`;
    if (lines.length > CHUNK_CHARACTERS) {
      yield lines;
      lines = '';
    }
  }
  if (seq < lastSeq) await assertKept(store, chain, checkpoint);
  const end: ExportEnd = { head, public_key: keys.publicKeys.get(head?.key_id ?? keys.keyId)?.text ?? '' };
  yield `${lines}${JSON.stringify(end)}\n`;
}

async function assertKept(store: AuditStore, chain: string, before: AuditCheckpoint | null): Promise<void> {
  const checkpoint = await store.checkpoint(chain);
  if (checkpoint?.seq !== before?.seq) throw new Error('retention took entries while they were exported');
}
