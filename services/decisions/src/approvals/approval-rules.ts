import { isDeepStrictEqual } from 'node:util';
import {
  type ApprovalRule,
  type ApprovalRules,
  type ApprovalRulesPut,
  type ImportJob,
  invalid,
  roleReaches,
} from '@waymark/contracts';
import type { ImportPortion } from '@waymark/data-transfer';
import { type MembersById, membersAmong, type RequestContext, requireMatch } from '@waymark/service-kit/http';
import { changesBetween, type Transaction } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';

const KEPT = 'is left out: the workspace has rules of approvals, which stay as they are';
const NOT_AN_ADMIN = 'is left out: who began the import is no longer an admin or owner';
const WITH_ANOTHER = 'is left out: another rule of the file names who is not a member with its role';

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
    const [wrong] = unfitMembers(rules, present, known);
    if (wrong) throw invalid(`rules.${wrong.path}`, wrong.message);
    return replaceRules(store, tx, before, rules);
  };
  return commit(ctx, put, { queueKey: `rules/${workspaceId}` });
}

/**
 * Stores the rules of a file, all or none, in a workspace without rules: beside others, a rule for one type
 * could take its decisions from a stricter rule for all. Returns which rules are left out, and why.
 */
export const importApprovalRules = (
  { call, store, storePortion }: DecisionsContext,
  {
    rules,
    created_by,
    ...portion
  }: ImportPortion & { rules: ApprovalRule[] } & Pick<ImportJob, 'created_by'>,
) =>
  storePortion(portion, async (tx) => {
    const { workspace_id } = portion;
    const before = await store.approvals.rules(workspace_id, tx.session);
    const leftOut = (message: string) => rules.map((_, i) => ({ path: `${i}`, message }));
    if (before.rules.length > 0) {
      const isHere = (rule: ApprovalRule) => before.rules.some((one) => isDeepStrictEqual(one, rule));
      return { stored: 0, refused: leftOut(KEPT).filter((_, i) => !isHere(rules[i]!)) };
    }
    // A person, who may have left or lost the role while the import waited.
    const importer = created_by.id!;
    const named = rules.flatMap(({ members }) => members);
    const present = await membersAmong(call, workspace_id, [importer, ...named]);
    if (!roleReaches(present.get(importer)?.role ?? 'viewer', 'admin'))
      return { stored: 0, refused: leftOut(NOT_AN_ADMIN) };
    const unfit = new Map(unfitMembers(rules, present).map((issue) => [issue.path.split('.')[0], issue]));
    if (unfit.size > 0)
      return { stored: 0, refused: leftOut(WITH_ANOTHER).map((issue) => unfit.get(issue.path) ?? issue) };
    await replaceRules(store, tx, before, rules, created_by);
    return { stored: rules.length, refused: [] };
  });

/** Returns, of each rule that names one, the first member who must not approve by it. */
export function unfitMembers(
  rules: ApprovalRule[],
  present: MembersById,
  known: ReadonlySet<string> = new Set(),
) {
  return rules.flatMap(({ members, role }, rule) => {
    const reaches = (id: string) => roleReaches(present.get(id)?.role ?? 'viewer', role);
    const wrong = members.findIndex((id) => !known.has(id) && !reaches(id));
    const message = `is not a member who is at least ${role}`;
    return wrong < 0 ? [] : { path: `${rule}.members.${wrong}`, message };
  });
}

async function replaceRules(
  store: DecisionsContext['store'],
  tx: Transaction,
  before: ApprovalRules,
  rules: ApprovalRule[],
  importer?: ImportJob['created_by'],
): Promise<ApprovalRules> {
  const after = { ...before, rules, version: before.version + 1 };
  const changes = changesBetween(before, after, ['rules']);
  if (Object.keys(changes).length === 0) return before;
  await store.approvals.putRules(after, tx.session);
  const subject = { type: 'workspace' as const, id: after.workspace_id, version: after.version };
  const by = importer && {
    actor: { ...importer, key_prefix: null },
    action: 'workspace.approval_rules' as const,
  };
  tx.emit('decision.approval_rules_updated', { subject, data: after, changes, ...by });
  return after;
}
