import { type Accuracy, type Calibration, limits } from '@waymark/contracts';
import type { Bounded, RequestContext } from '@waymark/service-kit/http';
import type { DecisionsContext } from '../context.ts';
import type { JudgedForecast } from '../store/forecasts.ts';
import { accuracyOf } from './forecast-accuracy.ts';

/** Returns how well the last forecasts before the outcomes met them, by forecaster, type and tag. */
export function getCalibration({ store, scan }: DecisionsContext, ctx: RequestContext): Promise<Calibration> {
  const workspace_id = ctx.access.workspaceId;
  return scan(ctx, count, `calibration of ${workspace_id}`);

  async function count(bounded: Bounded): Promise<Calibration> {
    const judged = await store.forecasts.judged(workspace_id, bounded);
    const names = new Map(judged.map(({ forecaster: { id, name } }) => [String(id), name]));
    const byForecaster = rowsBy(judged, ({ forecaster }) => [String(forecaster.id)]);
    return {
      workspace_id,
      all: accuracyOf(judged),
      forecasters: byForecaster.map(({ value: id, ...row }) => ({ id, name: names.get(id) ?? null, ...row })),
      types: rowsBy(judged, ({ decision_type }) => (decision_type === null ? [] : [decision_type])),
      tags: rowsBy(judged, ({ tags }) => tags),
    };
  }
}

/** The accuracy for each value that forecasts have, those with most decisions first. */
function rowsBy(
  judged: readonly JudgedForecast[],
  valuesOf: (forecast: JudgedForecast) => string[],
): (Accuracy & { value: string })[] {
  const pairs = judged.flatMap((forecast) => valuesOf(forecast).map((value) => ({ value, forecast })));
  return [...Map.groupBy(pairs, ({ value }) => value)]
    .map(([value, found]) => ({ value, ...accuracyOf(found.map(({ forecast }) => forecast)) }))
    .sort((one, other) => other.decisions - one.decisions || (one.value < other.value ? -1 : 1))
    .slice(0, limits.facetValues);
}
