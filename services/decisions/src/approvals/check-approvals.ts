import {
  ApiError,
  type ApprovalRule,
  contentSha256,
  type Decision,
  type MissingApprovals,
} from '@waymark/contracts';
import { membersAmong } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import { concernedBy, ruleFor, standingUnder } from './standing.ts';

/**
 * Throws APPROVAL_REQUIRED when a decision becomes accepted, or an accepted one gets another text or type,
 * without the approvals of an enforced rule.
 */
export async function checkApprovals(
  { call, store }: Pick<DecisionsContext, 'call' | 'store'>,
  before: Decision | null,
  after: Decision,
  session: Transaction['session'],
): Promise<void> {
  if (after.status !== 'accepted' || (before && isAcceptedAlike(before, after))) return;
  const { workspace_id } = after;
  const { rules } = await store.approvals.rules(workspace_id, session);
  const rule = ruleFor(rules, after.decision_type);
  if (rule?.mode !== 'enforced') return;
  if (before?.status === 'accepted' && contentSha256(before) !== contentSha256(after))
    throw textNeedsProposed();
  const current = await store.approvals.current(after, session);
  const { writer } = await store.approvals.background(after, session);
  const present = await membersAmong(call, workspace_id, concernedBy(rule, current));
  const { missing } = standingUnder(rule, after, { current, writer, present });
  if (missing) throw approvalRequired(missing, rule);
}

const isAcceptedAlike = (before: Decision, after: Decision) =>
  before.status === 'accepted' &&
  before.decision_type === after.decision_type &&
  contentSha256(before) === contentSha256(after);

/** Nobody can have approved a text that is not stored. */
function textNeedsProposed(): ApiError {
  const message =
    'To change the text of an accepted decision, set its status to proposed in the same request.';
  const issues = [{ path: 'status', message: 'must become proposed together with the new text' }];
  return new ApiError('APPROVAL_REQUIRED', { message, issues });
}

const TOO_FEW = 'rule names too few members who can approve now; an admin can change it';
const ROLES = { member: 'member', admin: 'admin or owner', owner: 'owner' };

export function approvalRequired(
  { approvals, role, members }: MissingApprovals,
  rule: Pick<ApprovalRule, 'members' | 'author_counts'>,
): ApiError {
  const number = approvals === 1 ? 'one more approval' : `${approvals} more approvals`;
  const needed = `Accepting this decision needs ${number} of its text`;
  if (rule.members.length > 0) {
    const names = members.map(({ name }) => name);
    const from = names.length > 0 ? `, from ${names.join(', ')}` : '';
    const said = [`${needed}${from}.`];
    const issues = names.map((name) => `${name} has not approved this text`);
    // Members of the rule have left or lost their role.
    if (names.length < approvals) {
      said.push(`The ${TOO_FEW}.`);
      issues.push(`the ${TOO_FEW}`);
    }
    return new ApiError('APPROVAL_REQUIRED', {
      message: said.join(' '),
      issues: issues.map((issue) => ({ path: 'approvals', message: issue })),
    });
  }
  const writer = rule.author_counts ? '' : ' who did not write the text';
  return new ApiError('APPROVAL_REQUIRED', {
    message: `${needed}, from any ${ROLES[role]}${writer}.`,
    issues: [{ path: 'approvals', message: `${approvals} more by any ${ROLES[role]} needed` }],
  });
}
