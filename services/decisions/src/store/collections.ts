import type {
  Approval,
  ApprovalRules,
  Decision,
  Forecast,
  HistoryEntry,
  OutcomeRecord,
} from '@waymark/contracts';
import { type Indexes, type Stored, TRASH, trashIndexes } from '@waymark/service-kit/store';

export const DECISIONS = 'decisions';
export const OUTCOMES = 'outcomes';
export const HISTORY = 'history';
export const APPROVALS = 'approvals';
export const FORECASTS = 'forecasts';
export const APPROVAL_RULES = 'approval_rules';
export const TOMBSTONES = 'tombstones';
export const GUARDS = 'guards';
export const CALENDAR_FEEDS = 'calendar_feeds';

/** A decision as it is stored: with fields that the record does not show. */
export type StoredDecision = Stored<Decision> & {
  /** The creator of the decision, which the history shows. */
  creator: HistoryEntry['actor'];
  /** The version of the last deletion; absent if the decision was never restored. */
  deleted_version?: number;
  /** The person behind the last change of the text, also behind an API key. */
  text_by?: string;
  /** Who was asked last to approve, and who of them has not answered about the present text. */
  asked?: { of: string[]; open: string[]; at: string };
  /** Written with each approval and forecast, so that a change of the decision at the same time conflicts. */
  approval_revision?: number;
};
export const unshown = {
  creator: 0,
  deleted_version: 0,
  text_by: 0,
  asked: 0,
  approval_revision: 0,
} as const;
export type StoredApproval = Stored<Approval>;
export type StoredForecast = Stored<Forecast>;
export type StoredRules = Omit<ApprovalRules, 'workspace_id'> & { _id: string };
export type StoredOutcome = Stored<OutcomeRecord>;
/** An update of a decision. */
export type HistoryRecord = HistoryEntry & { id: string; workspace_id: string; decision_id: string };
export type StoredHistory = Stored<HistoryRecord>;
/** The version of a deletion. A restored decision continues from it: consumers ignore earlier versions. */
export interface StoredTombstone {
  _id: string;
  workspace_id: string;
  version: number;
  expires_at: Date;
}
/** Written with every new supersedes link of a workspace: two concurrent links cannot close a cycle. */
export interface StoredGuard {
  _id: string;
  revision: number;
}

/** The sharded collections, by the field that names the workspace. */
export const shardedBy = {
  [DECISIONS]: 'workspace_id',
  [OUTCOMES]: 'workspace_id',
  [HISTORY]: 'workspace_id',
  [APPROVALS]: 'workspace_id',
  [FORECASTS]: 'workspace_id',
  [APPROVAL_RULES]: '_id',
  [TOMBSTONES]: 'workspace_id',
  [TRASH]: 'workspace_id',
  [GUARDS]: '_id',
};

/** The collections that are deleted with a workspace. Feeds have no shards: tokens are unique across them. */
export const ownedCollections = { [CALENDAR_FEEDS]: 'workspace_id', ...shardedBy };

/** Newest first, after the fields that a list filters by. */
const newest = { created_at: -1, _id: -1 } as const;
/** Answers the metrics without reading documents, and finds overdue decisions. */
export const OUTCOME_INDEX = {
  workspace_id: 1,
  outcome: 1,
  expected_by: 1,
  status: 1,
  quality_score: 1,
} as const;

export const decisionIndexes: Indexes = {
  [DECISIONS]: [
    { key: { workspace_id: 1, ...newest } },
    { key: { workspace_id: 1, status: 1, ...newest } },
    { key: { workspace_id: 1, tags: 1, ...newest }, partialFilterExpression: { tags: { $gt: '' } } },
    {
      key: { workspace_id: 1, decision_type: 1, ...newest },
      partialFilterExpression: { decision_type: { $gt: '' } },
    },
    { key: { workspace_id: 1, created_by: 1, ...newest } },
    {
      key: { workspace_id: 1, created_by_person: 1, ...newest },
      partialFilterExpression: { created_by_person: { $gt: '' } },
    },
    { key: { workspace_id: 1, deciders: 1, ...newest }, partialFilterExpression: { deciders: { $gt: '' } } },
    {
      key: { workspace_id: 1, 'asked.open': 1, ...newest },
      partialFilterExpression: { 'asked.open': { $gt: '' } },
    },
    // Sorts by title, and finds a part of one without reading documents.
    { key: { workspace_id: 1, title: 1, _id: 1 } },
    { key: { workspace_id: 1, updated_at: -1, _id: -1 } },
    { key: { workspace_id: 1, quality_score: -1, _id: -1 } },
    { key: { workspace_id: 1, expected_by: 1, _id: 1 } },
    { key: { workspace_id: 1, review_by: 1 }, partialFilterExpression: { review_by: { $gt: '' } } },
    {
      key: { workspace_id: 1, supersedes: 1, _id: -1 },
      partialFilterExpression: { supersedes: { $gt: '' } },
    },
    {
      key: { workspace_id: 1, relates_to: 1, _id: -1 },
      partialFilterExpression: { relates_to: { $gt: '' } },
    },
    {
      key: { workspace_id: 1, external_id: 1 },
      unique: true,
      partialFilterExpression: { external_id: { $gt: '' } },
    },
    { key: OUTCOME_INDEX },
    // Answers the calibration without reading documents.
    {
      key: { workspace_id: 1, outcome_confidence_kind: 1, outcome: 1, outcome_confidence: 1 },
      partialFilterExpression: { outcome_confidence_kind: 'forecast' },
    },
  ],
  [OUTCOMES]: [{ key: { workspace_id: 1, decision_id: 1, _id: -1 } }],
  [APPROVALS]: [
    { key: { workspace_id: 1, decision_id: 1, _id: -1 } },
    { key: { workspace_id: 1, decision_id: 1, state: 1, _id: 1 } },
  ],
  [FORECASTS]: [
    { key: { workspace_id: 1, decision_id: 1, _id: -1 } },
    { key: { workspace_id: 1, decision_id: 1, state: 1, _id: -1 } },
    { key: { workspace_id: 1, state: 1 } },
  ],
  [APPROVAL_RULES]: [],
  [TOMBSTONES]: [
    { key: { workspace_id: 1, _id: 1 } },
    { key: { workspace_id: 1, expires_at: 1, _id: 1 } },
    { key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  [GUARDS]: [],
  [CALENDAR_FEEDS]: [
    { key: { workspace_id: 1, user_id: 1 }, unique: true },
    { key: { token_hash: 1 }, unique: true },
  ],
  [HISTORY]: [{ key: { workspace_id: 1, decision_id: 1, version: -1 } }],
  ...trashIndexes,
};
