import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AuditOperator,
  openAuditOperator,
  type Resumed,
  verifyAuditExport,
} from '@waymark/audit/operator';
import { AuditHead, newId, type StoringService, storingServices } from '@waymark/contracts';
import { OUTBOX, type OutboxRow, oldestWaiting, republishRows } from '@waymark/service-kit/store';
import { closing, quietEnvironmentOf } from '../databases.ts';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { withDatabase } from './admin.ts';
import { printApprovals } from './approvals-in-export.ts';

const POLL_MS = 1_000;
/** The number of polls between two lines that name the reason of the wait. */
const POLLS_PER_LINE = 10;

/** Verifies an export without services, database or network. Throws CommandError when it is not valid. */
export async function verifyAudit(
  path: string,
  options: { publicKey: string[]; head?: string; workspace?: string },
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
  if (options.workspace !== undefined) await printApprovals(path, options.workspace, terminal);
}

/**
 * Resumes stopped chains, after audit has read again what it lacks. Throws CommandError for a chain that is
 * not stopped or changes meanwhile.
 */
export async function resumeChains(
  chains: string[],
  options: { all?: boolean; refill: boolean },
  terminal: Terminal,
): Promise<void> {
  if (Boolean(options.all) === chains.length > 0)
    throw new CommandError('give the ids of workspaces, or --all');
  await withAudit(terminal, async (audit) => {
    const stopped = new Set(await Array.fromAsync(audit.stopped()));
    const other = chains.find((chain) => !stopped.has(chain));
    if (other !== undefined) throw new CommandError(`the chain ${other} is not stopped`);
    if (stopped.size === 0) return terminal.out('no audit chain is stopped');
    if (options.refill) await refillToTheEnd(audit, terminal);
    for await (const chain of options.all ? audit.stopped() : chains) {
      const found = await audit.resume(chain).catch(refuse);
      if (found) report(chain, found, terminal);
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

/** Lets audit read the events again that it lacks. */
export async function refillAuditLog(terminal: Terminal): Promise<void> {
  await withAudit(terminal, async (audit) => {
    await refill(audit, terminal);
    terminal.out('audit reads the event stream again; waymark_consumer_lag shows how much is left');
  });
}

/**
 * Marks what audit lacks in the outboxes for publication, then lets audit read the whole stream again.
 * Returns the services with such events.
 */
async function refill(audit: AuditOperator, terminal: Terminal): Promise<StoringService[]> {
  const publishing: StoringService[] = [];
  for (const service of storingServices) {
    const marked = await withDatabase(service, terminal, (db) => republishRows(db, audit.knownIds));
    if (marked === 0) continue;
    terminal.out(`${service}: events of the outbox to publish again: ${marked}`);
    publishing.push(service);
  }
  await audit.readStreamAgain();
  return publishing;
}

/** Returns when audit has handled everything up to now: the running services publish and read the events. */
async function refillToTheEnd(audit: AuditOperator, terminal: Terminal): Promise<void> {
  const now = newId();
  for (const service of await refill(audit, terminal))
    await withDatabase(service, terminal, ({ collection }) =>
      waitWhile(terminal, async () => {
        const oldest = await oldestWaiting(collection<OutboxRow>(OUTBOX));
        return oldest !== null && oldest < now && `${service} has not published its events yet`;
      }),
    );
  const last = await audit.latestSequence();
  await waitWhile(terminal, async () => {
    const progress = await audit.progress();
    if (!progress) return 'audit does not read the event stream: it must run';
    const isDone = progress.left === 0 || progress.handledUntil >= last;
    return !isDone && `audit has not handled ${progress.left} events yet`;
  });
}

/** Waits until `reason` returns false, and prints the reason now and then. */
async function waitWhile({ out }: Terminal, reason: () => Promise<string | false>): Promise<void> {
  for (let polls = 0, why = await reason(); why; why = await reason(), polls += 1) {
    if (polls % POLLS_PER_LINE === 1) out(`waiting: ${why}`);
    await delay(POLL_MS);
  }
}

const withAudit = ({ env }: Terminal, work: (audit: AuditOperator) => Promise<void>): Promise<void> =>
  closing(openAuditOperator(quietEnvironmentOf('audit', env)), work);

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
