import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { limits } from '../limits.ts';
import { body } from '../schema/body.ts';
import { defaultsOf, example } from '../schema/fields.ts';
import { component, integer, page, personName, text, time, uuid, workspaceInBody } from '../schema/types.ts';
import { Author, type Changes, importedBy } from './audit.ts';
import type { Decision } from './decision.ts';

export const approvedFields = [
  'criteria',
  'description',
  'options_considered',
  'question',
  'rationale',
  'resolution',
  'title',
] as const;
/** The text of a decision: what an approval is about. */
export type ApprovedText = Pick<Decision, (typeof approvedFields)[number]>;

/** JSON.stringify keeps these fields only, in this order, the one of RFC 8785. Two are fields of options. */
const canonicalOrder = [...approvedFields, 'cons', 'pros'].sort();

/** Returns the SHA-256, in hex, of the canonical JSON (RFC 8785) of a decision's text. */
export const contentSha256 = (decision: ApprovedText): string =>
  hash('sha256', JSON.stringify(decision, canonicalOrder));

export const changesText = (changes: Changes): boolean => approvedFields.some((field) => field in changes);

/** Yields the texts of a decision, newest first. `updates` are those of its history, newest first. */
export function* earlierTexts(
  decision: ApprovedText,
  updates: Iterable<{ changes: Changes }>,
): Generator<ApprovedText> {
  let found: ApprovedText = decision;
  yield found;
  for (const { changes } of updates) {
    if (!changesText(changes)) continue;
    const before = Object.entries(changes).map(([field, change]) => [field, change.before]);
    found = { ...found, ...Object.fromEntries(before) };
    yield found;
  }
}

/** Returns the fields that differ between two texts. */
export function textDifference(before: ApprovedText, after: ApprovedText): Changes {
  const differing = approvedFields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(
    differing.map((field) => [field, { before: before[field], after: after[field] }]),
  );
}

export const verdicts = ['approve', 'object', 'abstain'] as const;
const approverRoles = ['member', 'admin', 'owner'] as const;

const sha256 = () =>
  example(
    z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in lower-case hex' }),
    '26a4c3b45d7d4e9f3c61b0a0f7e1c55b7a1e3c1f0c0f4d0d8b1e5f6a7b8c9d0e',
  );

const rule = {
  decision_type: text(limits.tagCharacters, 1)
    .nullable()
    .describe('The type of the decisions; null: all whose type has no rule of its own'),
  approvals: integer().min(1).max(limits.approvalsPerRule).describe('How many a decision needs'),
  role: z.enum(approverRoles).describe('The least role of who approves'),
  members: z.array(uuid()).max(limits.listItems).describe('Only these users may approve; empty for all'),
  mode: z
    .enum(['advisory', 'enforced'])
    .describe('enforced: a decision without the approvals cannot become accepted'),
  author_counts: z.boolean().describe('Whether who last changed the text counts'),
};
export const ApprovalRule = component(
  'ApprovalRule',
  'How many approvals decisions of a type need, and of whom',
  rule,
);
export type ApprovalRule = z.output<typeof ApprovalRule>;

const RuleInput = body({
  ...rule,
  decision_type: rule.decision_type.default(null),
  role: rule.role.default('member'),
  members: rule.members.default([]),
  mode: rule.mode.default('advisory'),
  author_counts: rule.author_counts.default(false),
}).meta({ id: 'ApprovalRuleInput', description: 'A rule of approvals; absent fields get their defaults' });

export const MORE_APPROVALS_THAN_MEMBERS = 'must not need more approvals than members are named';
export const namesEnoughMembers = ({ approvals, members }: ApprovalRule): boolean =>
  members.length === 0 || new Set(members).size >= approvals;

export const ApprovalRulesPut = body(
  {
    ...workspaceInBody,
    rules: z.array(RuleInput).max(limits.listItems).describe('The rules, at most one for each decision type'),
  },
  ({ rules }, issue) => {
    const given = rules as ApprovalRule[];
    if (new Set(given.map(({ decision_type }) => decision_type)).size < given.length)
      issue('rules', 'must not have two rules for one decision type');
    if (!given.every(namesEnoughMembers)) issue('rules', MORE_APPROVALS_THAN_MEMBERS);
  },
).meta({ id: 'ApprovalRulesPut', description: 'All rules of the workspace; an empty list ends approvals' });
export type ApprovalRulesPut = z.output<typeof ApprovalRulesPut>;

export const ApprovalRules = component('ApprovalRules', 'The rules of approvals of a workspace', {
  workspace_id: uuid(),
  rules: z.array(ApprovalRule),
  version: integer().describe('0 before the first rule'),
});
export type ApprovalRules = z.output<typeof ApprovalRules>;

export const ApprovalCreate = body(
  {
    ...workspaceInBody,
    verdict: z.enum(verdicts).describe('What you say to the text'),
    content_sha256: sha256().describe(
      'The hash of the text that you have read, from GET /decisions/{id}/approvals',
    ),
    reason: text(limits.reasonCharacters, 1).optional().describe('Why; required for an objection'),
  },
  ({ verdict, reason }, issue) => {
    if (verdict === 'object' && reason === undefined) issue('reason', 'is required for an objection');
  },
).meta({ id: 'ApprovalCreate' });
export type ApprovalCreate = z.output<typeof ApprovalCreate>;

export const ApprovalRequest = body({
  ...workspaceInBody,
  members: z
    .array(uuid())
    .min(1)
    .max(limits.listItems)
    .optional()
    .describe('The users to ask; by default those that the rule of the decision names'),
}).meta({ id: 'ApprovalRequest' });
export type ApprovalRequest = z.output<typeof ApprovalRequest>;

export const Approval = component('Approval', {
  id: uuid(),
  workspace_id: uuid(),
  decision_id: uuid(),
  decision_version: integer(),
  content_sha256: sha256(),
  verdict: z.enum(verdicts),
  reason: z.string().nullable(),
  approver: Author,
  state: z
    .enum(['current', 'replaced', 'voided'])
    .describe('replaced: by a later verdict of the same person; voided: by a change of the text'),
  imported_by: importedBy(),
  created_at: time(),
  ended_at: time().nullable().describe('When it was replaced or voided'),
});
export type Approval = z.output<typeof Approval>;
export const approvalDefaults = defaultsOf(Approval);

const NamedPerson = z.object({ id: uuid(), name: personName().nullable() });
export type NamedPerson = z.output<typeof NamedPerson>;

export const MissingApprovals = z.object({
  approvals: integer().describe('How many are missing'),
  role: z.enum(approverRoles),
  members: z
    .array(NamedPerson)
    .describe('Who of the named members has not approved; empty if any member may'),
});
export type MissingApprovals = z.output<typeof MissingApprovals>;

export const DecisionApprovals = page(
  Approval.extend({
    counts: z.boolean().describe('Whether the rule counts it now; false without a rule'),
    difference: z
      .record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }))
      .nullable()
      .describe('Of a voided one: what of the text is different now; null if the history lacks that text'),
  }),
)
  .extend({
    decision_version: integer(),
    content_sha256: sha256().describe('Of the present text'),
    rule: ApprovalRule.nullable().describe('The rule of the workspace for this decision'),
    missing: MissingApprovals.nullable().describe('Null when nothing is missing'),
    requested_of: z.array(NamedPerson).describe('Who was asked last'),
    requested_at: time().nullable(),
  })
  .meta({ id: 'DecisionApprovals' });
export type DecisionApprovals = z.output<typeof DecisionApprovals>;

export const RequestedApproval = component('RequestedApproval', {
  decision_id: uuid(),
  content_sha256: sha256(),
  requested_of: z.array(NamedPerson),
  requested_at: time(),
});
export type RequestedApproval = z.output<typeof RequestedApproval>;
