import {
  type Approval,
  contentSha256,
  type Decision,
  type DecisionApprovals,
  earlierTexts,
  textDifference,
} from '@waymark/contracts';
import type { PageRequest } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import { membersAmong, ruleFor, standingUnder } from './standing.ts';

/** Returns a page of what members said about the texts of a decision, and what is missing. */
export async function approvalsOf(
  service: DecisionsContext,
  decision: Decision,
  page: PageRequest,
): Promise<DecisionApprovals> {
  const { store } = service;
  const [{ items, next_cursor }, { rules }, { asked }] = await Promise.all([
    store.approvals.page(decision, page),
    store.approvals.rules(decision.workspace_id),
    store.approvals.background(decision),
  ]);
  const rule = ruleFor(rules, decision.decision_type);
  const standing = rule && (await standingUnder(service, rule, decision));
  const names = await membersAmong(service, decision.workspace_id, asked?.of ?? []);
  const differences = await differencesOf(service, decision, items);
  return {
    data: items.map((approval) => ({
      ...approval,
      counts: standing?.counted.has(approval.id) ?? false,
      difference: differences.get(approval.id) ?? null,
    })),
    next_cursor,
    decision_version: decision.version,
    content_sha256: contentSha256(decision),
    rule,
    missing: standing?.missing ?? null,
    requested_of: (asked?.of ?? []).map((user) => ({ id: user, name: names.get(user)?.name ?? null })),
    requested_at: asked?.at ?? null,
  };
}

/** Compares the present text with those that voided approvals are about. */
async function differencesOf({ store }: DecisionsContext, decision: Decision, approvals: Approval[]) {
  const voided = approvals.filter(({ state }) => state === 'voided');
  if (voided.length === 0) return new Map();
  const texts = [...earlierTexts(decision, await store.approvals.textUpdates(decision))];
  const byHash = new Map(texts.map((text) => [contentSha256(text), textDifference(text, decision)]));
  return new Map(voided.map(({ id, content_sha256 }) => [id, byHash.get(content_sha256)]));
}
