import type { ApprovalRule, Decision, ExportedHistory } from '@waymark/contracts';
import { derivedId, type ImportPortion } from '@waymark/data-transfer';
import { scoreDecision } from '@waymark/quality';
import { eventBatches } from '@waymark/service-kit/events';
import { ruleFor } from '../approvals/standing.ts';
import type { DecisionsContext } from '../context.ts';
import { checkImportedLinks } from '../links/check-imported-links.ts';
import type { InsertParts } from '../store/imports.ts';

interface PartsPortion extends ImportPortion {
  /** Decisions of the file that are stored in another state. Their outcomes and history are left out. */
  unlike?: string[] | undefined;
}

/**
 * Stores decisions as they are; only the score is computed again, and what a rule keeps from being accepted
 * is `proposed`. Throws as `checkImportedLinks` does.
 */
export async function importDecisions(
  { store, storePortion }: DecisionsContext,
  portion: ImportPortion & { decisions: Decision[] },
) {
  const { workspace_id } = portion;
  const given = portion.decisions.map((decision) => ({
    ...decision,
    workspace_id,
    quality_score: scoreDecision(decision, { model: decision.quality_model }).score,
  }));
  return storePortion(portion, async (tx) => {
    const { rules } = await store.approvals.rules(workspace_id, tx.session);
    const allowed = given.map((decision) => withoutAcceptance(rules, decision));
    const { fresh, unnamed, unlike } = await store.imports.insertDecisions(workspace_id, allowed, tx.session);
    await checkImportedLinks(store, workspace_id, fresh, tx.session);
    for (const decisions of eventBatches(fresh)) {
      const subject = { type: 'workspace' as const, id: workspace_id, version: 1 };
      tx.emit('decisions.imported', { subject, data: { decisions }, action: null });
    }
    const changed = new Set(given.filter((one, i) => one !== allowed[i]).map(({ id }) => id));
    const proposed = fresh.map(({ id }) => id).filter((id) => changed.has(id));
    return { stored: fresh.length, unnamed, unlike, proposed };
  });
}

/** An import by a program accepts nothing that needs approvals: only people stand in for them. */
function withoutAcceptance(rules: ApprovalRule[], decision: Decision): Decision {
  const isByPerson = decision.imported_by?.type === 'session';
  if (decision.status !== 'accepted' || isByPerson) return decision;
  const isBound = ruleFor(rules, decision.decision_type)?.mode === 'enforced';
  return isBound ? { ...decision, status: 'proposed' } : decision;
}

/** Stores the parts of decisions of the file, by a function of `store.imports`. */
export const importParts = <T>(
  { storePortion }: DecisionsContext,
  { unlike = [], ...portion }: PartsPortion,
  records: T[],
  insert: InsertParts<T>,
) => storePortion(portion, (tx) => insert(portion.workspace_id, records, new Set(unlike), tx.session));

export function importHistory(
  service: DecisionsContext,
  { history, ...portion }: PartsPortion & { history: ExportedHistory[] },
) {
  const { workspace_id } = portion;
  const records = history.map((entry) => {
    // Updates have no ids in a file; a derived id is the same in every attempt.
    const id = derivedId(workspace_id, `${entry.decision_id}/${entry.version}`);
    return { ...entry, id, workspace_id };
  });
  return importParts(service, portion, records, service.store.imports.insertHistory);
}

/** Returns which ids are taken, and what the taken decisions of the workspace supersede. */
export async function findTakenDecisions(
  { store }: DecisionsContext,
  given: {
    workspace_id: string;
    collection: 'decisions' | 'outcomes' | 'approvals' | 'forecasts';
    ids: string[];
  },
) {
  const { workspace_id, collection, ids } = given;
  const taken = await store.imports.taken(workspace_id, collection, ids);
  if (collection !== 'decisions') return taken;
  const here = await store.pick(workspace_id, taken.here);
  const links = here.flatMap(({ id, supersedes }) => (supersedes ? [[id, supersedes] as const] : []));
  return { ...taken, supersedes: Object.fromEntries(links) };
}
