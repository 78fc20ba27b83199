import { type Decision, type DecisionForecasts, userOf } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { PageRequest, Transaction } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import type { DecisionStore } from '../store/index.ts';
import { extremizedMean, median } from './combine.ts';

/** Whether forecasts may still change: until the first outcome, also if the decision is pending again. */
export const isOpen = async (store: DecisionStore, decision: Decision, session?: Transaction['session']) =>
  decision.outcome === 'pending' && !(await store.hasOutcome(decision.workspace_id, decision.id, session));

/** Returns a page of a decision's forecasts; while others are hidden from the caller, the caller's own. */
export async function forecastsOf(
  { store }: DecisionsContext,
  decision: Decision,
  page: PageRequest,
  ctx: RequestContext,
): Promise<DecisionForecasts> {
  const [mine, probabilities, open] = await Promise.all([
    store.forecasts.of(decision, userOf(ctx.principal) ?? ''),
    store.forecasts.probabilities(decision),
    isOpen(store, decision),
  ]);
  const count = probabilities.length;
  // An imported forecast proves no view of one's own.
  const hidden = ctx.access.hiddenForecasts && open && (mine === null || mine.imported_by !== null);
  if (hidden) {
    const nothing = { next_cursor: null, median: null, extremized_mean: null };
    return { data: mine ? [mine] : [], count, hidden, open, mine, ...nothing };
  }
  const found = await store.forecasts.page(decision, page);
  const combined = { median: median(probabilities), extremized_mean: extremizedMean(probabilities) };
  return { ...found, count, hidden, open, mine, ...combined };
}
