import type { Decision, HistoryEntry, OutcomeRecord } from '@waymark/contracts';
import { type Indexes, OUTBOX, type Stored } from '@waymark/service-kit/store';

export const DECISIONS = 'decisions';
export const OUTCOMES = 'outcomes';
export const HISTORY = 'history';
export const TOMBSTONES = 'tombstones';
export const GUARDS = 'guards';
export const TALLIES = 'tallies';
/** Where the version before leaves what waits to be folded; goes with the version after this one. */
export const FORMER_TALLY_CHANGES = 'tally_changes';
export const RECOUNTS = 'recounts';
export const CALENDAR_FEEDS = 'calendar_feeds';

/** A decision as it lies in the store: its creator is kept for the history, and is not part of the record. */
export type StoredDecision = Stored<Decision> & { creator: HistoryEntry['actor'] };
export type StoredOutcome = Stored<OutcomeRecord>;
/** An update of a decision; the creation, version 1, is told from the decision itself. */
export type HistoryRecord = HistoryEntry & { id: string; workspace_id: string; decision_id: string };
export type StoredHistory = Stored<HistoryRecord>;
/** What stays of a deleted decision for a while: when it is put back, it counts on from here, so that late events stay late. */
export interface StoredTombstone {
  _id: string;
  workspace_id: string;
  /** Of the deletion. */
  version: number;
  expires_at: Date;
}
/** Written by every new supersedes link of a workspace, so that two at once cannot close a cycle together. */
export interface StoredGuard {
  _id: string;
  revision: number;
}

/** Of a workspace whose tallies were made from decisions that were there before. */
export interface StoredRecount {
  _id: string;
  revision: number;
  is_final: boolean;
}

/** What is spread over shards, by the field that names the workspace. */
export const shardedBy = {
  [DECISIONS]: 'workspace_id',
  [OUTCOMES]: 'workspace_id',
  [HISTORY]: 'workspace_id',
  [TOMBSTONES]: 'workspace_id',
  [GUARDS]: '_id',
  [FORMER_TALLY_CHANGES]: 'workspace_id',
  [TALLIES]: 'workspace_id',
  [RECOUNTS]: '_id',
};

const { [TALLIES]: tallies, ...others } = shardedBy;
/** What of a workspace's tallies waits to be folded: in the outbox by an index that has no event. */
export const changesOf = (workspaceId: string) => ({
  workspace_id: workspaceId,
  changes: { $exists: true },
});

/**
 * What goes with a workspace, likewise: the tallies behind the notes in the outbox, which could still be folded into them. A feed is found by
 * its token alone, which is unique over all workspaces.
 */
export const ownedCollections = {
  [CALENDAR_FEEDS]: 'workspace_id',
  ...others,
  [OUTBOX]: changesOf,
  [TALLIES]: tallies,
};

/** Newest first, behind whatever a list filters by. */
const newest = { created_at: -1, _id: -1 } as const;

/**
 * For workspaces of 100,000 decisions and more: the list by each filter and order takes milliseconds. Only the order by
 * title sorts in memory (0.15 s there): its index would be the largest of all, and is asked for least.
 */
export const decisionIndexes: Indexes = {
  [DECISIONS]: [
    { key: { workspace_id: 1, ...newest } },
    { key: { workspace_id: 1, status: 1, ...newest } },
    { key: { workspace_id: 1, tags: 1, ...newest }, partialFilterExpression: { tags: { $gt: '' } } },
    {
      key: { workspace_id: 1, decision_type: 1, ...newest },
      partialFilterExpression: { decision_type: { $gt: '' } },
    },
    { key: { workspace_id: 1, updated_at: -1, _id: -1 } },
    { key: { workspace_id: 1, quality_score: -1, _id: -1 } },
    { key: { workspace_id: 1, expected_by: 1, _id: 1 } },
    {
      key: { workspace_id: 1, supersedes: 1, _id: -1 },
      partialFilterExpression: { supersedes: { $gt: '' } },
    },
    {
      key: { workspace_id: 1, relates_to: 1, _id: -1 },
      partialFilterExpression: { relates_to: { $gt: '' } },
    },
    // The two below recount the tallies by themselves; the first finds what is overdue as well.
    { key: { workspace_id: 1, outcome: 1, expected_by: 1, status: 1, quality_score: 1 } },
    {
      key: { workspace_id: 1, outcome_confidence_kind: 1, outcome: 1, outcome_confidence: 1 },
      partialFilterExpression: { outcome_confidence_kind: 'forecast' },
    },
  ],
  [OUTCOMES]: [{ key: { workspace_id: 1, decision_id: 1, _id: -1 } }],
  [TOMBSTONES]: [{ key: { workspace_id: 1, _id: 1 } }, { key: { expires_at: 1 }, expireAfterSeconds: 0 }],
  [GUARDS]: [],
  [OUTBOX]: [{ key: { workspace_id: 1, _id: 1 }, partialFilterExpression: { changes: { $exists: true } } }],
  [FORMER_TALLY_CHANGES]: [{ key: { workspace_id: 1, _id: 1 } }],
  [TALLIES]: [{ key: { workspace_id: 1, key: 1 }, unique: true }],
  [RECOUNTS]: [{ key: { is_final: 1 } }],
  [CALENDAR_FEEDS]: [
    { key: { workspace_id: 1, user_id: 1 }, unique: true },
    { key: { token_hash: 1 }, unique: true },
  ],
  [HISTORY]: [{ key: { workspace_id: 1, decision_id: 1, version: -1 } }],
};
