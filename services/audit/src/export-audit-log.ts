import type { AuditHead } from '@waymark/contracts';
import type { SigningKeys } from './signing.ts';
import type { AuditStore } from './store.ts';

/** The last line of an export. The key it names tells which one to trust, not that it may be trusted. */
interface ExportEnd {
  head: AuditHead | null;
  public_key: string;
}

const CHUNK_CHARACTERS = 64 * 1024;

/** NDJSON in constant memory: the entries up to `head`, oldest first, then the head itself. */
export async function* exportAuditLog(
  store: AuditStore,
  keys: SigningKeys,
  chain: string,
  head: AuditHead | null,
): AsyncGenerator<string> {
  let lines = '';
  for await (const entry of store.read(chain, head?.seq ?? 0)) {
    lines += `${JSON.stringify(entry)}\n`;
    if (lines.length > CHUNK_CHARACTERS) {
      yield lines;
      lines = '';
    }
  }
  const end: ExportEnd = { head, public_key: keys.publicKeys.get(head?.key_id ?? keys.keyId)?.text ?? '' };
  yield `${lines}${JSON.stringify(end)}\n`;
}
