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

/**
 * Prints who stood behind which text of each decision: the verdicts in a valid export of the audit log, with
 * the texts in an export of the workspace. Reports approvals of the workspace that the log lacks.
 */
export async function printApprovals(auditPath: string, workspacePath: string, { out, error }: Terminal) {
  const { decisions, history, approvals = [] } = await readWorkspace(workspacePath);
  const verdicts = Map.groupBy(await verdictsIn(auditPath), ({ resource_id }) => resource_id);
  const proven = new Set<string>();
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
        continue;
      }
      proven.add(JSON.stringify([decision.id, actor.id, sha256]));
      const text = texts.get(sha256) ?? 'a text that the workspace file lacks';
      out(`  entry ${seq}, ${created_at}: ${who} ${WORDS[action]} ${text} (sha256 ${sha256})`);
    }
  }
  const isProven = ({ decision_id, approver, content_sha256 }: (typeof approvals)[number]) =>
    proven.has(JSON.stringify([decision_id, approver.id, content_sha256]));
  for (const approval of approvals.filter((one) => one.imported_by === null && !isProven(one)))
    error(`not in the audit log: approval ${approval.id} of decision ${approval.decision_id}`);
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
