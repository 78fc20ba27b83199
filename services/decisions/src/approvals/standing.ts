import {
  type Approval,
  type ApprovalRule,
  contentSha256,
  type Decision,
  type MissingApprovals,
  roleReaches,
} from '@waymark/contracts';
import type { MembersById } from '@waymark/service-kit/http';

/** Returns the rule for a decision: that of its type, else the one for all types. */
export function ruleFor(rules: ApprovalRule[], type: string | null): ApprovalRule | null {
  const of = (wanted: string | null) => rules.find(({ decision_type }) => decision_type === wanted);
  return (type !== null && of(type)) || of(null) || null;
}

/** The users whose membership decides what the rule counts. */
export const concernedBy = (rule: ApprovalRule, current: readonly Approval[]): string[] => [
  ...current.flatMap(({ approver }) => approver.id ?? []),
  ...rule.members,
];

interface People {
  /** Who wrote the text. */
  writer: string | null;
  /** The members now. */
  present: MembersById;
}

/** Returns a check whether the rule counts an approval of a user. */
export const countedBy =
  (rule: ApprovalRule, { writer, present }: People) =>
  (id: string | null): id is string => {
    const role = id !== null && present.get(id)?.role;
    const isNamed = rule.members.length === 0 || rule.members.includes(String(id));
    return role && isNamed && (rule.author_counts || id !== writer) ? roleReaches(role, rule.role) : false;
  };

/** Returns which current approvals the rule counts, and what is missing. */
export function standingUnder(
  rule: ApprovalRule,
  decision: Decision,
  { current, ...people }: { current: Approval[] } & People,
): { counted: Set<string>; missing: MissingApprovals | null } {
  const sha256 = contentSha256(decision);
  const mayCount = countedBy(rule, people);
  const counts = ({ verdict, imported_by, content_sha256, approver }: Approval) =>
    verdict === 'approve' && imported_by === null && content_sha256 === sha256 && mayCount(approver.id);
  const counting = current.filter(counts);
  const approvals = rule.approvals - counting.length;
  const given = new Set(counting.map(({ approver }) => approver.id));
  const members = rule.members
    .filter((id) => mayCount(id) && !given.has(id))
    .map((id) => ({ id, name: people.present.get(id)!.name }));
  const missing = approvals > 0 ? { approvals, role: rule.role, members } : null;
  return { counted: new Set(counting.map(({ id }) => id)), missing };
}
