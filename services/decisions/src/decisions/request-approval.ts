import {
  type ApprovalRequest,
  contentSha256,
  invalid,
  type RequestedApproval,
  roleReaches,
} from '@waymark/contracts';
import { membersAmong, type RequestContext } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import { countedBy, ruleFor } from '../approvals/standing.ts';
import type { DecisionsContext } from '../context.ts';
import { subjectOf } from './events.ts';
import { findDecision } from './find-decision.ts';

/** Asks the given members, or those that the rule names. Throws VALIDATION_ERROR for who cannot approve. */
export function requestDecisionApproval(
  { call, store, commit, now }: DecisionsContext,
  ctx: RequestContext,
  id: string,
  { members }: ApprovalRequest,
): Promise<RequestedApproval> {
  const ask = async (tx: Transaction) => {
    const decision = await findDecision(store, ctx, id, tx.session);
    const { rules } = await store.approvals.rules(decision.workspace_id, tx.session);
    const rule = members ? null : ruleFor(rules, decision.decision_type);
    const named = members ?? rule?.members ?? [];
    if (named.length === 0) throw invalid('members', 'must name whom to ask: no rule names members here');
    const present = await membersAmong(call, decision.workspace_id, named);
    const { asked, writer } = await store.approvals.background(decision, tx.session);
    const isMember = (one: string) => roleReaches(present.get(one)?.role ?? 'viewer', 'member');
    const mayApprove = rule ? countedBy(rule, { writer, present }) : isMember;
    const able = [...new Set(named)].filter(mayApprove);
    const unable = (members ?? []).findIndex((one) => !able.includes(one));
    if (unable >= 0) throw invalid(`members.${unable}`, 'is not a member of this workspace who may approve');
    if (able.length === 0)
      throw invalid('members', 'no member that the rule names may approve; name whom to ask');
    const at = new Date(now()).toISOString();
    const answered = new Set(
      (await store.approvals.current(decision, tx.session)).map((one) => one.approver.id),
    );
    const open = able.filter((one) => !answered.has(one));
    await store.approvals.keepAsked(decision, { of: able, open, at }, tx.session);
    const content_sha256 = contentSha256(decision);
    tx.emit('decision.approval_requested', {
      subject: subjectOf(decision),
      data: { decision, requested_of: open, content_sha256 },
      changes: {
        requested_of: { before: asked?.of ?? [], after: able },
        content_sha256: { before: null, after: content_sha256 },
      },
    });
    const requested_of = able.map((one) => ({ id: one, name: present.get(one)!.name }));
    return { decision_id: id, content_sha256, requested_of, requested_at: at };
  };
  return commit(ctx, ask, { queueKey: id });
}
