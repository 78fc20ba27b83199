import {
  type Decision,
  DecisionCreate,
  decisionDefaults,
  EXPORT_SCHEMA_VERSION,
  type ExportedHistory,
  newId,
  type Outcome,
  type OutcomeRecord,
  type WorkspaceExport,
} from '@waymark/contracts';
import content from './demo.json' with { type: 'json' };

/** A past decision as it was created, and its outcome. */
interface PastDecision {
  daysAgo: number;
  /** The title of a decision before it. */
  supersedes?: string;
  decision: DemoDecision;
  result?: { afterDays: number; outcome: Outcome; outcomeNotes: string };
  /** When it was superseded. */
  archivedDaysAgo?: number;
}

type DemoDecision = Record<string, unknown> & { expectedInDays?: number };

interface Author {
  id: string;
  name: string;
}

const DAY_MS = 86_400_000;
const EMPTY = {
  ...(decisionDefaults as Omit<Decision, 'title'>),
  // The import computes the score.
  quality_score: 0,
  version: 1,
};

/** Returns the body of a request that creates a decision of demo.json. */
export const bodyOf = ({ expectedInDays, ...decision }: DemoDecision): Record<string, unknown> =>
  expectedInDays === undefined
    ? decision
    : { ...decision, expectedBy: new Date(Date.now() + expectedInDays * DAY_MS).toISOString() };

/**
 * Returns the demo's past as a workspace export, because only imported records keep their times, and the
 * ids by title.
 */
export function demoPast(
  workspaceId: string,
  authors: readonly Author[],
): { file: WorkspaceExport; ids: Map<string, string> } {
  const nowMs = Date.now();
  const ids = new Map<string, string>();
  const decisions: Decision[] = [];
  const outcomes: OutcomeRecord[] = [];
  const history: ExportedHistory[] = [];

  for (const past of content.past as PastDecision[]) {
    const { daysAgo, supersedes, decision, result, archivedDaysAgo } = past;
    const author = authors[decisions.length % authors.length]!;
    // Vary the time of day.
    const earlierMs = ((decisions.length * 37) % 480) * 60_000;
    const before = (days: number) => new Date(nowMs - days * DAY_MS - earlierMs).toISOString();
    const created = before(daysAgo);
    const { title, question, outcome_confidence = null, ...fields } = DecisionCreate.parse(bodyOf(decision));
    const record: Decision = {
      ...EMPTY,
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      title: title ?? question ?? '',
      question: question ?? null,
      outcome_confidence,
      outcome_confidence_kind: outcome_confidence === null ? null : 'forecast',
      id: newId(),
      workspace_id: workspaceId,
      supersedes: supersedes === undefined ? null : ids.get(supersedes)!,
      created_by: author.id,
      created_at: created,
      updated_at: created,
    };
    const change = (at: string, after: Partial<Decision>) => {
      const changes = Object.fromEntries(
        Object.entries(after).map(([name, value]) => [
          name,
          { before: record[name as keyof Decision], after: value },
        ]),
      );
      Object.assign(record, after, { version: record.version + 1, updated_at: at });
      const actor = { type: 'session', ...author };
      const { id, version } = record;
      const entry = { version, action: 'update' as const, actor, changes, imported_by: null, created_at: at };
      history.push({ decision_id: id, ...entry });
    };
    if (result) {
      const at = before(daysAgo - result.afterDays);
      change(at, { outcome: result.outcome, outcome_notes: result.outcomeNotes });
      outcomes.push({
        id: newId(),
        workspace_id: workspaceId,
        decision_id: record.id,
        outcome: result.outcome,
        notes: result.outcomeNotes,
        confidence: record.outcome_confidence,
        confidence_kind: record.outcome_confidence_kind,
        logged_by: author.id,
        imported_by: null,
        logged_at: at,
      });
    }
    if (archivedDaysAgo !== undefined) change(before(archivedDaysAgo), { status: 'archived' });
    decisions.push(record);
    ids.set(record.title, record.id);
  }
  const links = decisions.flatMap(({ id, supersedes }) =>
    supersedes === null ? [] : [{ source_id: id, target_id: supersedes, kind: 'supersedes' as const }],
  );
  const records = {
    workflows: [],
    nodes: [],
    edges: [],
    decisions,
    outcomes,
    approvals: [],
    forecasts: [],
    history,
    links,
    threads: [],
    messages: [],
    approval_rules: [],
  };
  const counts = Object.entries(records).map(([name, { length }]) => [name, length]);
  const file: WorkspaceExport = {
    schema_version: EXPORT_SCHEMA_VERSION,
    exported_at: new Date(nowMs).toISOString(),
    workspace: { id: workspaceId, name: 'The past of the demo' },
    counts: Object.fromEntries(counts) as WorkspaceExport['counts'],
    ...records,
  };
  return { file, ids };
}
