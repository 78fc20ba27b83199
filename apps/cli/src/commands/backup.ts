import { open, rm } from 'node:fs/promises';
import { readWorkspace } from '@waymark/accounts/operator';
import { beginEventLogsAnew, verifyChains } from '@waymark/audit/operator';
import { backUp, backUpOplog, nameInSeries, openPlace, thinOut, timeOfBackup } from '@waymark/backup';
import { snapshotExport } from '@waymark/data-transfer';
import { exportSources as ofDecisions } from '@waymark/decisions/operator';
import type { CallInternal } from '@waymark/service-kit/http';
import type { Database } from '@waymark/service-kit/store';
import { exportSources as ofThreads } from '@waymark/threads/operator';
import { recordBackup, workspaceText } from '@waymark/transfer/operator';
import { exportSources as ofWorkflows } from '@waymark/workflows/operator';
import { openDatabaseOf } from '../databases.ts';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { migrateDatabases } from './migrate.ts';
import {
  databases,
  type Identity,
  inDatabase,
  listOf,
  type Restored,
  restoreInto,
  throwCommandError,
  withRestored,
} from './restored-backup.ts';

export type { Restored };

export interface BackupOptions extends Identity {
  recipient?: string[];
  keep?: number;
  verify?: boolean;
}

/**
 * Writes a backup to an empty place or, with `keep`, into a series. Then verifies it if asked for, and then
 * removes the oldest of the series: a backup that is of no use replaces none.
 */
export async function backUpDatabases(
  name: string,
  options: BackupOptions,
  terminal: Terminal,
): Promise<void> {
  const { env, out } = terminal;
  const { recipient, keep, verify } = options;
  const recipients = recipient ?? listOf(env['BACKUP_RECIPIENTS']);
  const sources = databases(env);
  const own = nameInSeries(Date.now());
  const series = await openPlace(name, env).catch(throwCommandError);
  const place = keep === undefined ? series : series.at(own);
  const manifest = await backUp(sources, place, { recipients, onLine: out }).catch(throwCommandError);
  await inDatabase('transfer', env, (db) => recordBackup(db, 'taken', timeOfBackup(manifest)));
  out(`${place.name} is a complete backup`);
  if (verify) await verifyBackup(place.name, options, terminal);
  if (keep === undefined) return;
  const removed = await thinOut(series, { own, keep, nowMs: Date.now() }).catch(throwCommandError);
  for (const old of removed) out(`${old} is removed`);
}

/** Adds the changes since the newest backup of a series, or since the last run, to the series. */
export async function backUpChanges(
  name: string,
  { recipient }: Pick<BackupOptions, 'recipient'>,
  { env, out }: Terminal,
): Promise<void> {
  const recipients = recipient ?? listOf(env['BACKUP_RECIPIENTS']);
  const series = await openPlace(name, env).catch(throwCommandError);
  const until = await backUpOplog(databases(env), series, { recipients, onLine: out }).catch(
    throwCommandError,
  );
  await inDatabase('transfer', env, (db) => recordBackup(db, 'oplog', until));
  out(`changes are kept up to ${until}`);
}

/** Restores into empty databases, then migrates them, because a backup has no indexes. */
export async function restoreDatabases(
  name: string,
  { again = false, ...options }: Restored & { again?: boolean },
  terminal: Terminal,
): Promise<void> {
  const { until, identity } = options;
  const flags = { until: until?.toISOString().replace('.000', ''), identity };
  const given = Object.entries(flags).flatMap(([flag, value]) => (value ? [`--${flag} ${value}`] : []));
  await restoreInto(databases(terminal.env), name, options, terminal, {
    again,
    command: ['waymark restore', name, ...given, '--again'].join(' '),
    async complete() {
      await migrateDatabases([], { isRestoring: true }, terminal);
      await inDatabase('audit', terminal.env, beginEventLogsAnew);
    },
  });
}

/**
 * Restores a backup into temporary databases, migrates them, and verifies every audit chain; the counts were
 * compared by the restoration. Removes these databases. Throws CommandError when the backup is of no use.
 */
export async function verifyBackup(name: string, options: Restored, terminal: Terminal): Promise<void> {
  const { env, out } = terminal;
  await withRestored(name, options, terminal, async (restored, manifest) => {
    const found = await inDatabase('audit', restored, (db) => verifyChains(db, env));
    for (const { chain, reason } of found.faults) terminal.error(`audit: the chain ${chain}: ${reason}`);
    if (found.faults.length > 0) throw new CommandError(`damaged chains: ${found.faults.length}`);
    await inDatabase('transfer', env, (db) => recordBackup(db, 'verified', timeOfBackup(manifest)));
    out(
      `the backup of ${timeOfBackup(manifest)} can be restored: ${found.chains} audit chains with ${found.entries} entries verify`,
    );
  });
}

/** The services whose records an export contains. */
const EXPORTED = ['accounts', 'decisions', 'workflows', 'threads'] as const;

/**
 * Writes one workspace of a backup to a new file, as `GET /export` would have at that time. An import of the
 * file restores it. Throws CommandError.
 */
export async function extractWorkspace(
  name: string,
  workspaceId: string,
  path: string,
  options: Restored,
  terminal: Terminal,
): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch(throwCommandError);
  let isWritten = false;
  try {
    await withRestored(name, { ...options, of: EXPORTED }, terminal, async (env, manifest) => {
      const opened = EXPORTED.map((service) => openDatabaseOf(service, env));
      try {
        const call = callInto(opened as [Database, Database, Database, Database]);
        const text = await workspaceText(call, workspaceId, new Date(timeOfBackup(manifest)));
        if (!text) throw new CommandError(`the backup has no workspace ${workspaceId}`);
        for await (const part of text) await file.writeFile(part);
      } finally {
        await Promise.all(opened.map((database) => database.close()));
      }
    });
    isWritten = true;
  } finally {
    await file.close();
    if (!isWritten) await rm(path);
  }
  terminal.out(`${path} has the workspace ${workspaceId}: import it`);
}

/** Answers the calls of an export from databases, without services. */
function callInto([accounts, decisions, workflows, threads]: [Database, Database, Database, Database]) {
  const answers = {
    readWorkspaceForExport: async ({ params }: { params: { id: string } }) => ({
      workspace: await readWorkspace(accounts, params.id),
    }),
    ...exportCalls('Decisions', snapshotExport(decisions, ofDecisions)),
    ...exportCalls('Workflows', snapshotExport(workflows, ofWorkflows)),
    ...exportCalls('Threads', snapshotExport(threads, ofThreads)),
  };
  const call = (id: string, input: never) => answers[id as keyof typeof answers](input);
  return call as CallInternal;
}

function exportCalls(
  name: string,
  { begin, read }: Pick<ReturnType<typeof snapshotExport>, 'begin' | 'read'>,
) {
  return {
    [`begin${name}Export`]: ({ query }: { query: { workspace_id: string } }) => begin(query.workspace_id),
    [`read${name}ForExport`]: ({ query }: { query: Parameters<typeof read>[0] }) => read(query),
  };
}
