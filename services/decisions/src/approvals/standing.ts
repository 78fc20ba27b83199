import {
  type Approval,
  type ApprovalRule,
  contentSha256,
  type Decision,
  type MissingApprovals,
  type Role,
  roleReaches,
} from '@waymark/contracts';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';

type MemberOf = ReadonlyMap<string, { name: string; role: Role }>;

/** Returns the rule for a decision: that of its type, else the one for all types. */
export function ruleFor(rules: ApprovalRule[], type: string | null): ApprovalRule | null {
  const of = (wanted: string | null) => rules.find(({ decision_type }) => decision_type === wanted);
  return (type !== null && of(type)) || of(null) || null;
}

/** Looks up which of these users are members now. */
export async function membersAmong(
  { call }: Pick<DecisionsContext, 'call'>,
  workspace_id: string,
  userIds: Iterable<string>,
): Promise<MemberOf> {
  const user_ids = [...new Set(userIds)];
  if (user_ids.length === 0) return new Map();
  const { members } = await call('findMembers', { params: { id: workspace_id }, body: { user_ids } });
  return new Map(members.map(({ user_id, ...member }) => [user_id, member]));
}

/** Returns which current approvals the rule counts now, and what is missing. */
export async function standingUnder(
  service: Pick<DecisionsContext, 'call' | 'store'>,
  rule: ApprovalRule,
  decision: Decision,
  session?: Transaction['session'],
): Promise<{ counted: Set<string>; missing: MissingApprovals | null }> {
  const current = await service.store.approvals.current(decision, session);
  const { writer } = await service.store.approvals.background(decision, session);
  const approvers = current.flatMap(({ approver }) => approver.id ?? []);
  const present = await membersAmong(service, decision.workspace_id, [...approvers, ...rule.members]);
  const sha256 = contentSha256(decision);
  const mayCount = (id: string | null): id is string => {
    const role = id !== null && present.get(id)?.role;
    const isNamed = rule.members.length === 0 || rule.members.includes(String(id));
    return role && isNamed && (rule.author_counts || id !== writer) ? roleReaches(role, rule.role) : false;
  };
  const counts = ({ verdict, imported_by, content_sha256, approver }: Approval) =>
    verdict === 'approve' && imported_by === null && content_sha256 === sha256 && mayCount(approver.id);
  const counting = current.filter(counts);
  const approvals = rule.approvals - counting.length;
  const given = new Set(counting.map(({ approver }) => approver.id));
  const members = rule.members
    .filter((id) => mayCount(id) && !given.has(id))
    .map((id) => ({ id, name: present.get(id)!.name }));
  const missing = approvals > 0 ? { approvals, role: rule.role, members } : null;
  return { counted: new Set(counting.map(({ id }) => id)), missing };
}
