import {
  type Approval,
  contentSha256,
  type Decision,
  type DecisionApprovals,
  earlierTexts,
  textDifference,
} from '@waymark/contracts';
import { membersAmong } from '@waymark/service-kit/http';
import { type PageRequest, viewPage } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import type { DecisionStore } from '../store/index.ts';
import { concernedBy, ruleFor, standingUnder } from './standing.ts';

/** Returns a page of the approvals of a decision's texts, and the approvals that are missing. */
export async function approvalsOf(
  { call, store }: DecisionsContext,
  decision: Decision,
  page: PageRequest,
): Promise<DecisionApprovals> {
  const [found, { rules }, { asked, writer }] = await Promise.all([
    store.approvals.page(decision, page),
    store.approvals.rules(decision.workspace_id),
    store.approvals.background(decision),
  ]);
  const rule = ruleFor(rules, decision.decision_type);
  const askedOf = asked?.of ?? [];
  const current = rule ? await store.approvals.current(decision) : [];
  const concerned = [...(rule ? concernedBy(rule, current) : []), ...askedOf];
  const present = await membersAmong(call, decision.workspace_id, concerned);
  const standing = rule && standingUnder(rule, decision, { current, writer, present });
  const differences = await differencesOf(store, decision, found.data);
  return {
    ...viewPage(found, (approval) => ({
      ...approval,
      counts: standing?.counted.has(approval.id) ?? false,
      difference: differences.get(approval.id) ?? null,
    })),
    decision_version: decision.version,
    content_sha256: contentSha256(decision),
    rule,
    missing: standing?.missing ?? null,
    requested_of: askedOf.map((user) => ({ id: user, name: present.get(user)?.name ?? null })),
    requested_at: asked?.at ?? null,
  };
}

/** Compares the present text with those that voided approvals are about. */
async function differencesOf(store: DecisionStore, decision: Decision, approvals: Approval[]) {
  const voided = approvals.filter(({ state }) => state === 'voided');
  if (voided.length === 0) return new Map();
  const texts = [...earlierTexts(decision, await store.approvals.textUpdates(decision))];
  const byHash = new Map(texts.map((text) => [contentSha256(text), text]));
  return new Map(
    voided.map(({ id, content_sha256 }) => {
      const text = byHash.get(content_sha256);
      return [id, text && textDifference(text, decision)];
    }),
  );
}
