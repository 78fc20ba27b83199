import { readFile } from 'node:fs/promises';
import {
  type AuditOperator,
  openAuditOperator,
  type Resumed,
  verifyAuditExport,
} from '@waymark/audit/operator';
import { ApiError, AuditHead, storingServices } from '@waymark/contracts';
import { republishRows } from '@waymark/service-kit/store';
import { CommandError } from '../command-error.ts';
import { environmentOf } from '../databases.ts';
import type { Terminal } from '../terminal.ts';
import { withDatabase } from './admin.ts';

/** Verifies an export without services, database or network. Throws CommandError when it is not valid. */
export async function verifyAudit(
  path: string,
  options: { publicKey: string[]; head?: string },
  terminal: Terminal,
): Promise<void> {
  const savedHead = options.head === undefined ? undefined : await readHead(options.head);
  const found = await verifyAuditExport(path, { publicKey: options.publicKey, savedHead }).catch(refuse);
  if (found.fault) throw new CommandError(`NOT VALID: entry ${found.fault.seq}: ${found.fault.reason}`);
  const erased = found.erased > 0 ? `, ${found.erased} with erased details` : '';
  terminal.out(`valid: ${found.entries} entries${erased}; keep this head:`);
  if (found.withheld > 0)
    terminal.error(
      `details withheld from who exported: ${found.withheld} entries, whose names and changes are not proven; let an admin export`,
    );
  for (const segment of found.segments)
    terminal.out(`a gap, signed by an operator's command: ${gapOf(segment)}`);
  terminal.out(JSON.stringify(found.head));
}

/** Resumes stopped chains. Throws CommandError for a chain that is not stopped or changes meanwhile. */
export async function resumeChains(
  chains: string[],
  options: { all?: boolean },
  terminal: Terminal,
): Promise<void> {
  if (Boolean(options.all) === chains.length > 0)
    throw new CommandError('give the ids of workspaces, or --all');
  await withAudit(terminal, async (audit) => {
    for await (const chain of options.all ? audit.stopped() : chains) {
      const found = await audit.resume(chain).catch(refuse);
      if (found) report(chain, found, terminal);
      else if (!options.all) throw new CommandError(`the chain ${chain} is not stopped`);
    }
  });
}

function report(chain: string, { segment, appended, refused }: Resumed, terminal: Terminal): void {
  const gap = segment ? gapOf(segment) : 'nothing was lost';
  terminal.out(`${chain}: ${gap}; ${appended} held events appended`);
  if (refused === 0) return;
  terminal.error(
    `${chain}: ${refused} held events were changed and not appended; run \`waymark audit refill\``,
  );
}

function gapOf({ after_seq, until_seq, reason, known_seq }: NonNullable<Resumed['segment']>): string {
  const known = known_seq === null ? '' : `; the event stream named entry ${known_seq}`;
  return `entries ${after_seq + 1} to ${until_seq} are not proven (${reason})${known}`;
}

/** Marks what audit lacks in the outboxes for publication, then lets audit read the whole stream again. */
export async function refillAuditLog(terminal: Terminal): Promise<void> {
  await withAudit(terminal, async (audit) => {
    for (const service of storingServices) {
      const marked = await withDatabase(service, terminal, (db) => republishRows(db, audit.knownIds));
      if (marked > 0) terminal.out(`${service}: events of the outbox to publish again: ${marked}`);
    }
    await audit.readStreamAgain();
    terminal.out('audit reads the event stream again; waymark_consumer_lag shows how much is left');
  });
}

async function withAudit(terminal: Terminal, work: (audit: AuditOperator) => Promise<void>): Promise<void> {
  const env = { ...environmentOf('audit', terminal.env), LOG_LEVEL: terminal.env['LOG_LEVEL'] || 'silent' };
  const audit = await openAuditOperator(env).catch((error) => {
    throw error instanceof ApiError ? new CommandError(error.message, { cause: error }) : error;
  });
  try {
    await work(audit);
  } finally {
    await audit.close();
  }
}

/** Reads a saved head: alone, or inside a response of the verification or the last line of an export. */
async function readHead(path: string): Promise<AuditHead> {
  try {
    const saved = JSON.parse(await readFile(path, 'utf8')) as { head?: unknown };
    return AuditHead.parse(saved.head ?? saved);
  } catch (error) {
    throw new CommandError(`${path} does not contain a head of an audit chain`, { cause: error });
  }
}

function refuse(error: Error): never {
  throw new CommandError(error.message, { cause: error });
}
