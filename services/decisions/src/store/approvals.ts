import {
  ApiError,
  type Approval,
  type ApprovalRules,
  approvalDefaults,
  approvedFields,
  type Decision,
  type HistoryEntry,
  limits,
} from '@waymark/contracts';
import { type Database, inSession, type PageRequest, recordCollection } from '@waymark/service-kit/store';
import type { ClientSession, UpdateFilter } from 'mongodb';
import {
  APPROVAL_RULES,
  APPROVALS,
  DECISIONS,
  HISTORY,
  type StoredDecision,
  type StoredHistory,
  type StoredRules,
} from './collections.ts';

type Of = Pick<Decision, 'id' | 'workspace_id'>;
/** A history may have many entries that change no text. */
const TEXTS_MS = 2_000;
const newestFirst = { version: -1 } as const;

export function approvalStore(database: Database) {
  const decisions = database.collection<StoredDecision>(DECISIONS);
  const approvals = recordCollection<Approval>(database, APPROVALS, { defaults: approvalDefaults });
  const history = database.collection<StoredHistory>(HISTORY);
  const rules = database.collection<StoredRules>(APPROVAL_RULES);

  /** Makes a concurrent change of the decision conflict. Throws CONFLICT for another version. */
  async function lock(
    { id, workspace_id, version }: Decision,
    session: ClientSession,
    change: UpdateFilter<StoredDecision> = {},
  ): Promise<void> {
    const update = { ...change, $inc: { approval_revision: 1 } };
    const { matchedCount } = await decisions.updateOne({ _id: id, workspace_id, version }, update, {
      session,
    });
    if (matchedCount !== 1) throw new ApiError('CONFLICT');
  }

  return {
    async rules(workspace_id: string, session?: ClientSession): Promise<ApprovalRules> {
      const found = await rules.findOne({ _id: workspace_id }, inSession(session));
      return { workspace_id, rules: found?.rules ?? [], version: found?.version ?? 0 };
    },

    async putRules({ workspace_id, rules: list, version }: ApprovalRules, session: ClientSession) {
      const $set = { rules: list, version };
      await rules.updateOne({ _id: workspace_id }, { $set }, { upsert: true, session });
    },

    /** Returns who wrote the present text of a decision, and who was asked to approve it. */
    async background({ id, workspace_id }: Of, session?: ClientSession) {
      const projection = { creator: 1, text_by: 1, asked: 1 };
      const options = { projection, ...inSession(session) };
      const found = await decisions.findOne({ _id: id, workspace_id }, options);
      return { writer: found?.text_by ?? found?.creator.id ?? null, asked: found?.asked ?? null };
    },

    lock,

    /** Keeps who was asked, and locks the decision. */
    keepAsked: (decision: Decision, asked: StoredDecision['asked'] & object, session: ClientSession) =>
      lock(decision, session, { $set: { asked } }),

    /** Keeps that a user has answered, and locks the decision. */
    keepAnswered: (decision: Decision, userId: string | null, session: ClientSession) =>
      lock(decision, session, { $pull: { 'asked.open': userId } }),

    current: ({ id, workspace_id }: Of, session?: ClientSession) =>
      approvals.find(
        { workspace_id, decision_id: id, state: 'current' },
        { sort: { _id: 1 }, limit: limits.membersPerWorkspace, session },
      ),

    insert: approvals.insert,

    async end(
      workspace_id: string,
      ended: readonly Approval[],
      { state, ended_at }: Pick<Approval, 'state' | 'ended_at'>,
      session: ClientSession,
    ): Promise<void> {
      if (ended.length === 0) return;
      const filter = { workspace_id, _id: { $in: ended.map(({ id }) => id) } };
      await approvals.collection.updateMany(filter, { $set: { state, ended_at } }, { session });
    },

    /** Asks everyone again who was asked last. */
    async reopen({ id, workspace_id }: Of, session: ClientSession): Promise<void> {
      const filter = { _id: id, workspace_id, asked: { $exists: true } };
      await decisions.updateOne(filter, [{ $set: { 'asked.open': '$asked.of' } }], { session });
    },

    page: ({ id, workspace_id }: Of, page: PageRequest) =>
      approvals.page(
        { workspace_id, decision_id: id },
        -1,
        { ...page, limit: page.limit ?? limits.approvalsPage },
        JSON.stringify(['approvals', workspace_id, id]),
      ),

    /** Returns the latest updates that changed the text, newest first. */
    textUpdates: ({ id, workspace_id }: Of) =>
      history
        .find<Pick<HistoryEntry, 'changes'>>({
          workspace_id,
          decision_id: id,
          $or: approvedFields.map((field) => ({ [`changes.${field}`]: { $exists: true } })),
        })
        .project<Pick<HistoryEntry, 'changes'>>(
          Object.fromEntries(approvedFields.map((field) => [`changes.${field}`, 1])),
        )
        .sort(newestFirst)
        .limit(limits.comparedVersions)
        .maxTimeMS(TEXTS_MS)
        .toArray(),
  };
}
