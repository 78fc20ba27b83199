import { ApiError, contentSha256, type Decision, type MissingApprovals } from '@waymark/contracts';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import { ruleFor, standingUnder } from './standing.ts';

/**
 * Throws APPROVAL_REQUIRED when a decision becomes accepted, or an accepted one gets another text or type,
 * without the approvals of an enforced rule.
 */
export async function checkApprovals(
  service: Pick<DecisionsContext, 'call' | 'store'>,
  before: Decision | null,
  after: Decision,
  session: Transaction['session'],
): Promise<void> {
  if (after.status !== 'accepted' || (before && isAcceptedAlike(before, after))) return;
  const { rules } = await service.store.approvals.rules(after.workspace_id, session);
  const rule = ruleFor(rules, after.decision_type);
  if (rule?.mode !== 'enforced') return;
  const { missing } = await standingUnder(service, rule, after, session);
  if (missing) throw approvalRequired(missing, rule.members.length > 0);
}

const isAcceptedAlike = (before: Decision, after: Decision) =>
  before.status === 'accepted' &&
  before.decision_type === after.decision_type &&
  contentSha256(before) === contentSha256(after);

const ROLES = { member: 'member', admin: 'admin or owner', owner: 'owner' };

function approvalRequired({ approvals, role, members }: MissingApprovals, isNamed: boolean): ApiError {
  const number = approvals === 1 ? 'One approval' : `${approvals} approvals`;
  const names = members.map(({ name }) => name).join(', ');
  const noOne = 'nobody who could still give it; an admin can change the rule';
  const who = isNamed ? (names === '' ? noOne : names) : `any ${ROLES[role]} who did not write the text`;
  const issues = isNamed
    ? members.map(({ name }) => ({ path: 'approvals', message: `${name} has not approved this text` }))
    : [{ path: 'approvals', message: `${approvals} by any ${ROLES[role]} missing` }];
  const message = `${number} of this text, which the workspace requires for accepted decisions, is missing: from ${who}.`;
  return new ApiError('APPROVAL_REQUIRED', { message, issues });
}
