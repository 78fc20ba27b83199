import type { Decision, ExportedHistory, OutcomeRecord } from '@waymark/contracts';
import { derivedId, eventBatches, type ImportPortion, type StorePortion } from '@waymark/service-kit';
import { scoreDecision } from './scoring.ts';
import type { ImportStore } from './store/imports.ts';

/** Stores what an import brings, as it was: ids, authors, times and versions stay; only the score is worked out anew. */
export function decisionImports(store: ImportStore, storePortion: StorePortion) {
  return {
    decisions: (portion: ImportPortion & { decisions: Decision[] }) =>
      storePortion(portion, async (tx) => {
        const { workspace_id } = portion;
        const given = portion.decisions.map((decision) => ({
          ...decision,
          workspace_id,
          quality_score: scoreDecision(decision).score,
        }));
        const fresh = await store.insertDecisions(workspace_id, given, tx.session);
        for (const decisions of eventBatches(fresh)) {
          const subject = { type: 'workspace', id: workspace_id, version: 1 };
          tx.emit('decisions.imported', { subject, data: { decisions }, action: null });
        }
        return fresh.length;
      }),

    outcomes: (portion: ImportPortion & { outcomes: OutcomeRecord[] }) =>
      storePortion(portion, (tx) => store.insertOutcomes(portion.workspace_id, portion.outcomes, tx.session)),

    history: (portion: ImportPortion & { history: ExportedHistory[] }) =>
      storePortion(portion, (tx) => {
        const { workspace_id } = portion;
        const records = portion.history.map((entry) => {
          // An update has no id of its own in a file; this one is the same however often it comes.
          const id = derivedId(workspace_id, `${entry.decision_id}/${entry.version}`);
          return { ...entry, id, workspace_id };
        });
        return store.insertHistory(workspace_id, records, tx.session);
      }),
  };
}
