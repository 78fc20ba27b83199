import { applyAuditRetention } from '@waymark/audit/operator';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { withDatabase } from './admin.ts';

/** Applies the retention once; the audit service does so daily. Throws CommandError for a damaged chain. */
export async function applyRetention(terminal: Terminal): Promise<void> {
  const found = await withDatabase('audit', terminal, (db) => applyAuditRetention(db, terminal.env));
  if (!found) throw new CommandError('AUDIT_RETENTION_DAYS is missing: audit entries are kept forever');
  terminal.out(`audit: ${found.removed} entries past their retention removed`);
  for (const { chain, seq, reason } of found.damaged) {
    terminal.error(`audit: the chain ${chain} is damaged and keeps its old entries: entry ${seq}: ${reason}`);
  }
  if (found.damaged.length > 0) throw new CommandError(`damaged chains: ${found.damaged.length}`);
}
