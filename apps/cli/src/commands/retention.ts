import { applyAuditRetention } from '@waymark/audit/operator';
import { CommandError } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';
import { withDatabase } from './admin.ts';

/** Once, what the audit service does daily. Throws CommandError when a chain is damaged. */
export async function applyRetention(terminal: Terminal): Promise<void> {
  const found = await withDatabase('audit', terminal, (db) => applyAuditRetention(db, terminal.env));
  if (!found) throw new CommandError('AUDIT_RETENTION_DAYS is missing: audit entries are kept for good');
  terminal.out(`audit: ${found.removed} entries past their retention removed`);
  for (const { chain, seq, reason } of found.damaged) {
    terminal.error(`audit: the chain ${chain} is damaged and left as it is: entry ${seq}: ${reason}`);
  }
  if (found.damaged.length > 0) throw new CommandError(`damaged chains: ${found.damaged.length}`);
}
