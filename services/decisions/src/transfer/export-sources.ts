import {
  approvalDefaults,
  type Decision,
  decisionDefaults,
  type ExportedLink,
  forecastDefaults,
  historyDefaults,
  outcomeDefaults,
} from '@waymark/contracts';
import type { ExportSource } from '@waymark/data-transfer';
import type { Stored } from '@waymark/service-kit/store';
import {
  APPROVAL_RULES,
  APPROVALS,
  DECISIONS,
  FORECASTS,
  HISTORY,
  OUTCOMES,
  type StoredRules,
  unshown,
} from '../store/collections.ts';

const oldestFirst = [
  ['created_at', 1],
  ['_id', 1],
] as const;
const ofDecision = [
  ['decision_id', 1],
  ['_id', -1],
] as const;
const linkFields = { supersedes: 1, relates_to: 1, created_at: 1 } as const;

/** The collections of an export, each in the order of an index. */
export const exportSources = {
  decisions: {
    collection: DECISIONS,
    sort: oldestFirst,
    projection: unshown,
    defaults: decisionDefaults,
  },
  outcomes: {
    collection: OUTCOMES,
    sort: ofDecision,
    defaults: outcomeDefaults,
  },
  approvals: {
    collection: APPROVALS,
    sort: ofDecision,
    defaults: approvalDefaults,
  },
  forecasts: {
    collection: FORECASTS,
    sort: ofDecision,
    defaults: forecastDefaults,
  },
  history: {
    collection: HISTORY,
    sort: [
      ['decision_id', 1],
      ['version', -1],
    ],
    projection: { _id: 0, workspace_id: 0 },
    defaults: historyDefaults,
  },
  // Reads all decisions, not only those with links: a page is then quick however rare links are.
  links: {
    collection: DECISIONS,
    sort: oldestFirst,
    projection: linkFields,
    rows: (document) => linksOf(document as Stored<Decision>),
    having: [{ supersedes: { $gt: '' } }, { relates_to: { $gt: '' } }],
    documentsPerRow: 10,
  },
  // One document of each workspace.
  approval_rules: {
    collection: APPROVAL_RULES,
    workspaceField: '_id',
    sort: [['version', 1]],
    rows: (document) => (document as StoredRules).rules,
  },
} satisfies Record<string, ExportSource>;

function linksOf({ _id: source_id, supersedes, relates_to }: Stored<Decision>): ExportedLink[] {
  const link = (kind: ExportedLink['kind']) => (target_id: string) => ({ source_id, target_id, kind });
  return [...(supersedes ? [supersedes].map(link('supersedes')) : []), ...relates_to.map(link('relates'))];
}
