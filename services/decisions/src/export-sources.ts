import type { Decision, ExportedHistory, ExportedLink, OutcomeRecord } from '@waymark/contracts';
import { type ExportSource, fromDocument, type Stored } from '@waymark/service-kit';
import { DECISIONS, HISTORY, OUTCOMES, type StoredHistory } from './store/collections.ts';

const oldestFirst = [
  ['created_at', 1],
  ['_id', 1],
] as const;
const linkFields = { supersedes: 1, relates_to: 1, created_at: 1 } as const;

/** What the service gives to an export, in the order of its indexes. */
export const exportSources = {
  decisions: {
    collection: DECISIONS,
    sort: oldestFirst,
    projection: { creator: 0 },
    rows: (document) => [fromDocument<Decision>(document as Stored<Decision>)],
  },
  outcomes: {
    collection: OUTCOMES,
    sort: [
      ['decision_id', 1],
      ['_id', -1],
    ],
    rows: (document) => [fromDocument<OutcomeRecord>(document as Stored<OutcomeRecord>)],
  },
  history: {
    collection: HISTORY,
    sort: [
      ['decision_id', 1],
      ['version', -1],
    ],
    rows: (document) => [historyRow(document as StoredHistory)],
  },
  // Read off all decisions rather than those with links: a page is then quick however rare links are.
  links: {
    collection: DECISIONS,
    sort: oldestFirst,
    projection: linkFields,
    rows: (document) => linksOf(document as Stored<Decision>),
    having: [{ supersedes: { $gt: '' } }, { relates_to: { $gt: '' } }],
    documentsPerRow: 10,
  },
} satisfies Record<string, ExportSource>;

function historyRow({ _id: _, workspace_id: __, ...entry }: StoredHistory): ExportedHistory {
  return entry;
}

function linksOf({ _id: source_id, supersedes, relates_to }: Stored<Decision>): ExportedLink[] {
  const link = (kind: ExportedLink['kind']) => (target_id: string) => ({ source_id, target_id, kind });
  return [...(supersedes ? [supersedes].map(link('supersedes')) : []), ...relates_to.map(link('relates'))];
}
