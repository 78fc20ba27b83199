import { type Decision, type DecisionPart, type DecisionWithParts, limits } from '@waymark/contracts';
import { scoreDecision } from '@waymark/quality';
import { JsonText, type RequestContext } from '@waymark/service-kit/http';
import type { PageRequest } from '@waymark/service-kit/store';
import { approvalsOf } from '../approvals/list-approvals.ts';
import type { DecisionsContext } from '../context.ts';
import { forecastsOf } from '../forecasts/list-forecasts.ts';
import { listDecisionLinks } from '../links/list-decision-links.ts';

/** Reads the parts of a decision that are not its fields; of lists, a page. */
export const readPart = {
  async quality({ store }: DecisionsContext, decision: Decision) {
    const { workspace_id, id, outcome } = decision;
    const isOver = outcome !== 'pending' || (await store.hasOutcome(workspace_id, id));
    return scoreDecision(decision, { model: decision.quality_model, forecastOpen: !isOver });
  },
  outcomes: ({ store }: DecisionsContext, { workspace_id, id }: Decision, page: PageRequest) =>
    store.listOutcomes(workspace_id, id, page),
  history: ({ store }: DecisionsContext, { workspace_id, id }: Decision, page: PageRequest) =>
    store.listHistory(workspace_id, id, page),
  approvals: approvalsOf,
  forecasts: forecastsOf,
  links: ({ store }: DecisionsContext, decision: Decision, page: PageRequest) =>
    listDecisionLinks(store, decision, page),
} satisfies Record<DecisionPart, unknown>;

/** Returns a decision, with the first page of each of `parts`. */
export async function withParts(
  service: DecisionsContext,
  ctx: RequestContext,
  decision: Decision,
  parts: readonly DecisionPart[] = [],
): Promise<Decision | JsonText> {
  if (parts.length === 0) return decision;
  const page = { limit: limits.includedRecords };
  const read = parts.map(async (part) => [part, await readPart[part](service, decision, page, ctx)] as const);
  const included = Object.fromEntries(await Promise.all(read));
  // Without its version, which would be the ETag: a part changes without the decision.
  return new JsonText(JSON.stringify({ ...decision, included } satisfies DecisionWithParts));
}
