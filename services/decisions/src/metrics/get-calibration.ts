import { type Calibration, limits } from '@waymark/contracts';
import type { DecisionsContext } from '../context.ts';
import { SCORED_OUTCOMES, type ScoredOutcome } from '../store/metrics-counts.ts';
import { accuracyOf, type ScoredForecast } from './forecast-accuracy.ts';

/** Returns how well the last forecasts before the outcomes met them, by forecaster, type and tag. */
export function getCalibration(
  { store, scans, calibrations }: DecisionsContext,
  workspace_id: string,
): Promise<Calibration> {
  return calibrations(workspace_id, () => scans.runExclusive(workspace_id, count));

  async function count(): Promise<Calibration> {
    const all: ScoredForecast[] = [];
    const groups = { forecasters: grouping(), types: grouping(), tags: grouping() };
    const names = new Map<string, string | null>();
    for await (const { decision, forecaster, ...forecast } of store.forecasts.judged(
      workspace_id,
      SCORED_OUTCOMES,
    )) {
      const scored = { ...forecast, outcome: decision.outcome as ScoredOutcome };
      const id = String(forecaster.id);
      all.push(scored);
      names.set(id, forecaster.name);
      groups.forecasters.add(id, scored);
      if (decision.decision_type !== null) groups.types.add(decision.decision_type, scored);
      for (const tag of decision.tags) groups.tags.add(tag, scored);
    }
    const byValue = ([value, accuracy]: ReturnType<Grouping['rows']>[number]) => ({ value, ...accuracy });
    return {
      workspace_id,
      all: accuracyOf(all),
      forecasters: groups.forecasters
        .rows()
        .map(([id, accuracy]) => ({ id, name: names.get(id) ?? null, ...accuracy })),
      types: groups.types.rows().map(byValue),
      tags: groups.tags.rows().map(byValue),
    };
  }
}

type Grouping = ReturnType<typeof grouping>;

/** Forecasts by a value of theirs; rows are those with most decisions first. */
function grouping() {
  const groups = new Map<string, ScoredForecast[]>();
  return {
    add(value: string, forecast: ScoredForecast) {
      const group = groups.get(value);
      if (group) group.push(forecast);
      else groups.set(value, [forecast]);
    },
    rows: () =>
      [...groups]
        .map(([value, scored]) => [value, accuracyOf(scored)] as const)
        .sort(([a, one], [b, other]) => other.decisions - one.decisions || (a < b ? -1 : 1))
        .slice(0, limits.facetValues),
  };
}
