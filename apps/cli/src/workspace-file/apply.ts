import { createReadStream } from 'node:fs';
import { MEBIBYTE } from '@waymark/contracts';
import { CommandError, ExitCode, usageError } from '../failures/command-error.ts';
import { patientSender } from '../operations/patient-sender.ts';
import { createSender } from '../operations/send.ts';
import { lineOf } from '../output/cell.ts';
import { connectionOf } from '../profiles/connection.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Change } from './changes.ts';
import { hasSecret, makeChanges } from './make-changes.ts';
import { parseWorkspaceFile, SHOWN_ISSUES } from './parse-file.ts';
import { type Plan, planOf, type Refusal } from './plan.ts';
import { readWorkspace } from './read-workspace.ts';
import { openSecretStore } from './secrets.ts';

export interface ApplyOptions {
  file: string;
  dryRun: boolean;
  prune: boolean;
  yes?: boolean;
  /** Where secrets go instead of to the output. */
  secrets?: string;
  profile?: string;
}

/** Changes a workspace until it is as in a file. Throws CommandError, or ExitCode after it printed why. */
export async function apply(options: ApplyOptions, terminal: Terminal): Promise<void> {
  const { file } = options;
  const parsed = parseWorkspaceFile(await readText(file, terminal));
  if ('issues' in parsed) throw refused(file, parsed.issues, terminal);
  const connection = await connectionOf(terminal, options.profile);
  const signal = terminal.interruption?.();
  const read = patientSender(createSender(connection, signal), terminal, signal);
  const workspace = await readWorkspace(parsed.file.entries.keys(), connection, read, terminal);
  const plan = planOf(parsed.file, workspace, options);
  if (plan.refusals.length > 0) throw refused(file, plan.refusals, terminal);
  printPlan(plan, terminal);
  const { changes } = plan;
  if (changes.length === 0) return;
  if (options.dryRun) throw new ExitCode('different');
  const removed = changes.filter(({ kind }) => kind === 'remove').length;
  if (removed > 0 && !options.yes) await confirm(`Remove ${removed} of them?`, terminal);
  // Without the signal: Ctrl-C does not abort a creation, whose secret would be lost.
  const send = patientSender(createSender(connection, undefined, { repeatable: true }), terminal, signal);
  const secrets = changes.some(hasSecret) ? await openSecretStore(options.secrets, terminal) : undefined;
  try {
    await makeChanges(changes, { workspaceId: workspace.id, send, secrets, signal, terminal });
  } finally {
    await secrets?.close();
  }
  terminal.out(`${changes.length} ${changes.length === 1 ? 'change' : 'changes'} made`);
}

const signs: Record<Change['kind'], string> = { create: '+', update: '~', remove: '-' };

function printPlan({ changes, kept }: Plan, terminal: Terminal): void {
  for (const { kind, record, details } of changes) {
    terminal.out(`${signs[kind]} ${record}`);
    for (const detail of details) terminal.out(`    ${detail}`);
  }
  for (const record of kept) terminal.out(`= ${record}: not in the file; --prune removes it`);
  if (changes.length === 0) terminal.out('nothing to change');
}

/** Prints the mistakes in the file, each with its line. */
function refused(file: string, refusals: Refusal[], terminal: Terminal): ExitCode {
  const name = file === '-' ? 'standard input' : file;
  for (const { line, message } of refusals.slice(0, SHOWN_ISSUES)) {
    terminal.error(lineOf(`${name}${line === undefined ? '' : `:${line}`}: ${message}`));
  }
  return new ExitCode('usage');
}

/** Enough for the most members and webhooks of a workspace. */
const MAX_BYTES = MEBIBYTE;

/** Returns the text of a file, or of standard input for `-`. Throws CommandError if it cannot be read. */
async function readText(file: string, terminal: Terminal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of file === '-' ? (terminal.input ?? []) : createReadStream(file)) {
      chunks.push(Buffer.from(chunk as Uint8Array));
      bytes += chunks.at(-1)!.length;
      if (bytes > MAX_BYTES) throw usageError(`${file} is too large: a workspace file has at most 1 MiB`);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const why = error instanceof TypeError ? 'it is not text in UTF-8' : (error as Error).message;
    throw usageError(`${file} cannot be read: ${why}`);
  }
}
