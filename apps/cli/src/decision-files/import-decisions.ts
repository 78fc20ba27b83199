import { isDeepStrictEqual } from 'node:util';
import { type Decision, etagOf, operations } from '@waymark/contracts';
import { CommandError, ExitCode } from '../failures/command-error.ts';
import type { Exit } from '../failures/exit-codes.ts';
import { patientSender } from '../operations/patient-sender.ts';
import { readPages } from '../operations/read-pages.ts';
import { createSender, type Sender } from '../operations/send.ts';
import { lineOf } from '../output/cell.ts';
import { connectionOf } from '../profiles/connection.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type DecisionFile, readFolder } from './read-folder.ts';

export interface ImportOptions {
  dryRun: boolean;
  prefix: string;
  profile?: string;
}

/** What a server says of one file, after which the others go on. */
const OF_ONE_FILE: readonly Exit[] = ['usage', 'notFound', 'conflict'];

/**
 * Creates the decisions of a folder, and changes those whose files differ. A field that a file does not state
 * keeps its value. Throws ExitCode if a file was refused, or if a dry run found something to change.
 */
export async function importDecisions(
  folder: string,
  { dryRun, prefix, profile }: ImportOptions,
  terminal: Terminal,
): Promise<void> {
  const files = await readFolder(folder, prefix);
  const connection = await connectionOf(terminal, profile);
  const signal = terminal.interruption?.();
  const send = patientSender(createSender(connection, signal, { repeatable: true }), terminal, signal);
  const query = connection.workspaceId === undefined ? {} : { workspaceId: connection.workspaceId };
  const listed = await readPages(operations.listDecisions, { path: {}, query, headers: {} }, send, terminal);
  const find = finder(listed['decisions'] as Decision[]);
  const counts = { create: 0, change: 0, unchanged: 0, refused: 0 };
  for (const file of files) {
    const decision = find(file);
    const names = Object.keys(file.fields).filter((name) => !decision || differs(name, file, decision));
    const kind = !decision ? 'create' : names.length > 0 ? 'change' : 'unchanged';
    try {
      if (kind !== 'unchanged' && !dryRun) await store(file, names, { decision, query, send });
    } catch (error) {
      if (!(error instanceof CommandError) || !OF_ONE_FILE.includes(error.exit)) throw error;
      terminal.error(lineOf(`! ${file.name}: ${error.message}`));
      counts.refused += 1;
      continue;
    }
    counts[kind] += 1;
    if (kind === 'create') terminal.out(lineOf(`+ ${file.name}: ${file.fields['title']}`));
    if (kind === 'change') terminal.out(lineOf(`~ ${file.name}: ${names.join(', ')}`));
  }
  const { create, change, unchanged, refused } = counts;
  const [created, changed] = dryRun ? ['to create', 'to change'] : ['created', 'changed'];
  terminal.out(`${create} ${created}, ${change} ${changed}, ${unchanged} unchanged, ${refused} refused`);
  if (refused > 0) throw new ExitCode('failed');
  if (dryRun && create + change > 0) throw new ExitCode('different');
}

/** Returns what finds the decision of a file: by its external id, or by its id in an export. */
function finder(decisions: readonly Decision[]): (file: DecisionFile) => Decision | undefined {
  const byExternalId = new Map(decisions.map((decision) => [decision.external_id, decision]));
  const byId = new Map(decisions.map((decision) => [decision.id, decision]));
  return ({ externalId, id }) => byExternalId.get(externalId) ?? byId.get(id ?? '');
}

function differs(name: string, { fields }: DecisionFile, decision: Decision): boolean {
  const said = fields[name];
  const stored = decision[name as keyof Decision];
  // A file may name a day, which the server stores as its last moment.
  if (name.endsWith('_by') && typeof stored === 'string' && /^\d{4}-\d\d-\d\d/.test(String(said)))
    return !stored.startsWith(String(said)) && Date.parse(stored) !== Date.parse(String(said));
  return !isDeepStrictEqual(said, stored);
}

/** Stores fields of a file. A decision that somebody has changed meanwhile is refused. */
async function store(
  { externalId, fields }: DecisionFile,
  names: readonly string[],
  to: { decision: Decision | undefined; query: Record<string, string>; send: Sender },
): Promise<void> {
  const { decision, query, send } = to;
  const body = Object.fromEntries(names.map((name) => [name, fields[name]]));
  if (decision) {
    const headers = { 'if-match': etagOf(decision.version) };
    await send(operations.updateDecision, { path: { id: decision.id }, query, body, headers });
  } else {
    await send(operations.putDecisionByExternalId, { path: { externalId }, query, body, headers: {} });
  }
}
