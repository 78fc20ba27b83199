import { type ApprovalRules, type ApprovalRulesPut, invalid, roleReaches } from '@waymark/contracts';
import { membersAmong, type RequestContext, requireMatch } from '@waymark/service-kit/http';
import { changesBetween, type Transaction } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';

/** Replaces the rules; equal ones change nothing. Throws VALIDATION_ERROR for a new member of a low role. */
export function putApprovalRules(
  { call, store, commit }: DecisionsContext,
  ctx: RequestContext,
  { rules }: ApprovalRulesPut,
): Promise<ApprovalRules> {
  const { workspaceId } = ctx.access;
  const put = async (tx: Transaction) => {
    const before = await store.approvals.rules(workspaceId, tx.session);
    requireMatch(ctx, before);
    const known = new Set(before.rules.flatMap(({ members }) => members));
    const added = rules.flatMap(({ members }) => members).filter((id) => !known.has(id));
    const present = await membersAmong(call, workspaceId, added);
    for (const [i, { members, role }] of rules.entries()) {
      const reaches = (id: string) => roleReaches(present.get(id)?.role ?? 'viewer', role);
      const wrong = members.findIndex((id) => !known.has(id) && !reaches(id));
      if (wrong >= 0) throw invalid(`rules.${i}.members.${wrong}`, `is not a member who is at least ${role}`);
    }
    const after = { ...before, rules, version: before.version + 1 };
    const changes = changesBetween(before, after, ['rules']);
    if (Object.keys(changes).length === 0) return before;
    await store.approvals.putRules(after, tx.session);
    const subject = { type: 'workspace' as const, id: workspaceId, version: after.version };
    tx.emit('decision.approval_rules_updated', { subject, data: after, changes });
    return after;
  };
  return commit(ctx, put, { queueKey: `rules/${workspaceId}` });
}
