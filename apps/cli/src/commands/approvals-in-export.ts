import { readFile } from 'node:fs/promises';
import { linesOfExport } from '@waymark/audit/operator';
import {
  type AuditEntry,
  contentSha256,
  type Decision,
  type ExportedHistory,
  earlierTexts,
  type WorkspaceExport,
} from '@waymark/contracts';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

const WORDS: Record<string, string> = {
  'decision.approve': 'approved',
  'decision.object': 'objected to',
  'decision.abstain': 'abstained on',
};

const keyOf = (...parts: (string | null)[]) => parts.join(' ');

/**
 * Prints who stood behind which text of each decision: the verdicts in a valid export of the audit log, with
 * the texts in an export of the workspace. Reports verdicts of the workspace that an import brought, which
 * nothing proves, and those whose entry is withheld or erased.
 * @throws CommandError when the workspace has a verdict that the log lacks, or a text other than that of a
 * current verdict.
 */
export async function printApprovals(auditPath: string, workspacePath: string, { out, error }: Terminal) {
  const { decisions, history, approvals = [] } = await readWorkspace(workspacePath);
  const verdicts = Map.groupBy(await verdictsIn(auditPath), ({ resource_id }) => resource_id);
  const proven = new Set<string>();
  const hidden = new Set<string>();
  const updates = Map.groupBy(history, ({ decision_id }) => decision_id);
  for (const decision of decisions) {
    const own = verdicts.get(decision.id);
    if (!own) continue;
    const texts = textsByHash(decision, updates.get(decision.id) ?? []);
    out(`decision ${decision.id}, ${JSON.stringify(decision.title)}:`);
    for (const { seq, created_at, actor, action, changes } of own) {
      const sha256 = String(changes?.['content_sha256']?.after);
      const who = actor.name ?? actor.id;
      if (changes === null) {
        out(`  entry ${seq}, ${created_at}: ${who} ${WORDS[action]} a text: details withheld or erased`);
        hidden.add(keyOf(decision.id, action));
        continue;
      }
      proven.add(keyOf(decision.id, action, actor.id, sha256));
      const text = texts.get(sha256) ?? 'a text that the workspace file lacks';
      out(`  entry ${seq}, ${created_at}: ${who} ${WORDS[action]} ${text} (sha256 ${sha256})`);
    }
  }
  const missing: string[] = [];
  const ofOtherText: string[] = [];
  const present = new Map(decisions.map((decision) => [decision.id, contentSha256(decision)]));
  for (const { id, decision_id, verdict, approver, content_sha256, imported_by, state } of approvals) {
    const action = `decision.${verdict}`;
    const name = `${verdict} ${id} of decision ${decision_id}`;
    if (imported_by !== null) {
      error(`imported, so nothing proves it: ${name}`);
      continue;
    }
    // A change of the text voids all current verdicts.
    if (state === 'current' && present.get(decision_id) !== content_sha256) ofOtherText.push(name);
    if (proven.has(keyOf(decision_id, action, approver.id, content_sha256))) continue;
    if (hidden.has(keyOf(decision_id, action))) error(`withheld or erased in the log: ${name}`);
    else missing.push(name);
  }
  if (missing.length > 0) throw new CommandError(`NOT PROVEN: the log lacks ${missing.join(', ')}`);
  if (ofOtherText.length > 0)
    throw new CommandError(`NOT PROVEN: the workspace file has another text than ${ofOtherText.join(', ')}`);
}

async function readWorkspace(path: string): Promise<WorkspaceExport> {
  try {
    const file = JSON.parse(await readFile(path, 'utf8')) as WorkspaceExport;
    if (Array.isArray(file.decisions) && Array.isArray(file.history)) return file;
  } catch (cause) {
    throw new CommandError(`${path} is not an exported workspace`, { cause });
  }
  throw new CommandError(`${path} is not an exported workspace`);
}

async function verdictsIn(path: string): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for await (const line of linesOfExport(path)) {
    const entry = JSON.parse(line) as Partial<AuditEntry>;
    if (entry.action !== undefined && Object.hasOwn(WORDS, entry.action)) found.push(entry as AuditEntry);
  }
  return found;
}

/** Names the texts that a decision has had, by hash. */
function textsByHash(decision: Decision, history: ExportedHistory[]): Map<string, string> {
  const updates = history.toSorted((a, b) => b.version - a.version);
  const named = new Map<string, string>();
  for (const text of earlierTexts(decision, updates)) {
    const name = named.size === 0 ? 'the present text' : `an earlier text, ${JSON.stringify(text.title)}`;
    const sha256 = contentSha256(text);
    if (!named.has(sha256)) named.set(sha256, name);
  }
  return named;
}
