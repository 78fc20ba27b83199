import {
  ApiError,
  type Approval,
  type ApprovalCreate,
  contentSha256,
  type Decision,
  earlierTexts,
  newId,
  textDifference,
} from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import type { DecisionStore } from '../store/index.ts';
import { subjectOf } from './events.ts';
import { findDecision } from './find-decision.ts';

const EVENTS = {
  approve: ['decision.approved', 'decision.approve'],
  object: ['decision.objected', 'decision.object'],
  abstain: ['decision.abstained', 'decision.abstain'],
} as const;

/** Records the verdict of a person on the text of a decision, in place of an earlier one. */
export function createDecisionApproval(
  { store, commit, now }: DecisionsContext,
  ctx: RequestContext,
  id: string,
  given: ApprovalCreate,
): Promise<Approval> {
  const { type, id: userId, name } = ctx.actor;
  const { verdict, content_sha256, reason = null } = given;
  return commit(
    ctx,
    async (tx) => {
      const decision = await findDecision(store, ctx, id, tx.session);
      if (contentSha256(decision) !== content_sha256) throw await otherText(store, decision, content_sha256);
      const current = await store.approvals.current(decision, tx.session);
      const own = current.filter(({ approver }) => approver.id === userId);
      const before = own.at(-1) ?? null;
      const isSame = before?.verdict === verdict && before.reason === reason && before.imported_by === null;
      if (isSame && before.content_sha256 === content_sha256) return before;
      await store.approvals.keepAnswered(decision, userId, tx.session);
      const created_at = new Date(now()).toISOString();
      const { workspace_id, version: decision_version } = decision;
      const approval: Approval = {
        id: newId(),
        workspace_id,
        decision_id: id,
        decision_version,
        content_sha256,
        verdict,
        reason,
        approver: { type, id: userId, name },
        state: 'current',
        imported_by: null,
        created_at,
        ended_at: null,
      };
      await store.approvals.end(workspace_id, own, { state: 'replaced', ended_at: created_at }, tx.session);
      await store.approvals.insert(approval, tx.session);
      const [event, action] = EVENTS[verdict];
      const changes = changesBetween(before, approval, ['verdict', 'content_sha256', 'reason']);
      // The audit entry has the hash even if it is the same as before: the verdict is about this text.
      changes['content_sha256'] ??= { before: content_sha256, after: content_sha256 };
      tx.emit(event, { subject: subjectOf(decision), data: approval, action, changes });
      return approval;
    },
    { queueKey: id },
  );
}

/** Returns the error for a verdict about another text than the present one, with what is different. */
async function otherText(store: DecisionStore, decision: Decision, sha256: string): Promise<ApiError> {
  const present = `is not that of version ${decision.version}, which is ${contentSha256(decision)}`;
  const issues = [{ path: 'contentSha256', message: present }];
  const texts = earlierTexts(decision, await store.approvals.textUpdates(decision));
  const read = texts.find((text) => contentSha256(text) === sha256);
  for (const [field, { after }] of Object.entries(read ? textDifference(read, decision) : {}))
    issues.push({ path: field, message: `is now: ${JSON.stringify(after)}` });
  const message = 'The text of this decision has changed since you read it. Read it again, then decide.';
  return new ApiError('CONFLICT', { message, issues });
}
