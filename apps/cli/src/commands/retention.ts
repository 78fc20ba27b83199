import { applyAuditRetention } from '@waymark/audit/operator';
import { EVERY_WORKSPACE, holdTrash } from '@waymark/service-kit/store';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
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

/** Stops the purge of the trash of a workspace, or lets it continue. Throws CommandError for another word. */
export async function holdDeleted(workspaceId: string, isHeld: boolean, terminal: Terminal): Promise<void> {
  const id = workspaceId.toLowerCase();
  if (id !== EVERY_WORKSPACE && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id))
    throw new CommandError(`${workspaceId} is not the id of a workspace; or say ${EVERY_WORKSPACE}`);
  for (const service of ['decisions', 'workflows', 'threads'] as const)
    await withDatabase(service, terminal, (db) => holdTrash(db, id, isHeld));
  const whose = id === EVERY_WORKSPACE ? 'every workspace' : `the workspace ${id}`;
  terminal.out(`deleted records of ${whose} ${isHeld ? 'are held' : 'are purged after 30 days again'}`);
}
