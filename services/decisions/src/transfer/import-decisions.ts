import type { Decision, ExportedHistory, OutcomeRecord } from '@waymark/contracts';
import { derivedId, type ImportPortion, type StorePortion } from '@waymark/data-transfer';
import { eventBatches } from '@waymark/service-kit/events';
import { checkImportedLinks } from '../links/check-imported-links.ts';
import { scoreDecision } from '../quality/scoring.ts';
import type { ImportStore } from '../store/imports.ts';
import type { DecisionStore } from '../store/index.ts';

/** What belongs to decisions, but for the `unlike`: those that are there in another state than the file's. */
interface PartsPortion extends ImportPortion {
  unlike?: string[] | undefined;
}

/** Stores what an import brings, as it was: ids, authors, times and versions stay; only the score is worked out anew. */
export function decisionImports(store: ImportStore, decisions: DecisionStore, storePortion: StorePortion) {
  return {
    /** Throws CONFLICT for a circle of supersedes links, LIMIT_EXCEEDED for too long a chain of them. */
    decisions: (portion: ImportPortion & { decisions: Decision[] }) =>
      storePortion(portion, async (tx) => {
        const { workspace_id } = portion;
        const given = portion.decisions.map((decision) => ({
          ...decision,
          workspace_id,
          quality_score: scoreDecision(decision).score,
        }));
        const { fresh, unlike } = await store.insertDecisions(workspace_id, given, tx);
        await checkImportedLinks(decisions, workspace_id, fresh, tx.session);
        for (const batch of eventBatches(fresh)) {
          const subject = { type: 'workspace', id: workspace_id, version: 1 };
          tx.emit('decisions.imported', { subject, data: { decisions: batch }, action: null });
        }
        return { stored: fresh.length, unlike };
      }),

    outcomes: ({ outcomes, unlike = [], ...portion }: PartsPortion & { outcomes: OutcomeRecord[] }) =>
      storePortion(portion, (tx) =>
        store.insertOutcomes(portion.workspace_id, outcomes, new Set(unlike), tx.session),
      ),

    history: ({ history, unlike = [], ...portion }: PartsPortion & { history: ExportedHistory[] }) =>
      storePortion(portion, (tx) => {
        const { workspace_id } = portion;
        const records = history.map((entry) => {
          // An update has no id of its own in a file; this one is the same however often it comes.
          const id = derivedId(workspace_id, `${entry.decision_id}/${entry.version}`);
          return { ...entry, id, workspace_id };
        });
        return store.insertHistory(workspace_id, records, new Set(unlike), tx.session);
      }),
  };
}
