import { type Decision, type Forecast, forecastDefaults } from '@waymark/contracts';
import type { Bounded } from '@waymark/service-kit/http';
import { type Database, type PageRequest, recordCollection } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { DECISIONS, FORECASTS, type StoredDecision } from './collections.ts';
import { SCORED_OUTCOMES, type ScoredOutcome } from './metrics-counts.ts';

type Of = Pick<Decision, 'id' | 'workspace_id'>;
type Given = Pick<Forecast, 'decision_id' | 'probability' | 'forecaster'>;
type Judged = Pick<Decision, 'decision_type' | 'tags'> & { outcome: ScoredOutcome };
/** A current forecast of a decision with an outcome that it is compared with. */
export type JudgedForecast = Given & Judged;

const current = ({ id, workspace_id }: Of) => ({ workspace_id, decision_id: id, state: 'current' as const });
const JUDGED_AT_ONCE = 10_000;

export function forecastStore(database: Database) {
  const records = recordCollection<Forecast>(database, FORECASTS, { defaults: forecastDefaults });
  const forecasts = records.collection;
  const decisions = database.collection<StoredDecision>(DECISIONS);

  return {
    /** Returns the current forecast of a user or a service account. */
    of: (decision: Of, forecaster: string, session?: ClientSession) =>
      records.findOne({ ...current(decision), 'forecaster.id': forecaster }, session),

    /** Stores a forecast in place of `before`. */
    async replace(before: Forecast | null, after: Forecast, session: ClientSession): Promise<void> {
      const { workspace_id, created_at: ended_at } = after;
      const ended = { $set: { state: 'replaced' as const, ended_at } };
      if (before) await forecasts.updateOne({ workspace_id, _id: before.id }, ended, { session });
      await records.insert(after, session);
    },

    page: (decision: Of, page: PageRequest) =>
      records.page(
        current(decision),
        -1,
        page,
        JSON.stringify(['forecasts', decision.workspace_id, decision.id]),
      ),

    async probabilities(decision: Of): Promise<number[]> {
      const found = forecasts
        .find(current(decision))
        .project<Pick<Forecast, 'probability'>>({ probability: 1 });
      return (await found.toArray()).map(({ probability }) => probability);
    },

    /**
     * Returns the forecasts of a workspace whose decisions have such an outcome, without a slow $lookup, and
     * without imported ones: nothing proves when they were given, or by whom.
     */
    async judged(workspace_id: string, options: Bounded): Promise<JudgedForecast[]> {
      const given = await forecasts
        .find({ workspace_id, state: 'current', imported_by: null }, options)
        .project<Given>({ _id: 0, decision_id: 1, probability: 1, forecaster: 1 })
        .toArray();
      const ids = [...new Set(given.map(({ decision_id }) => decision_id))];
      const judged = new Map<string, Judged>();
      for (let at = 0; at < ids.length; at += JUDGED_AT_ONCE) {
        const some = { $in: ids.slice(at, at + JUDGED_AT_ONCE) };
        const filter = { workspace_id, _id: some, outcome: { $in: SCORED_OUTCOMES } };
        const found = decisions
          .find(filter, { ...options, hint: { _id: 1 } })
          .project<Judged & { _id: string }>({ outcome: 1, decision_type: 1, tags: 1 });
        for await (const { _id, ...fields } of found) judged.set(_id, fields);
      }
      return given.flatMap((forecast) => {
        const decision = judged.get(forecast.decision_id);
        return decision ? [{ ...forecast, ...decision }] : [];
      });
    },
  };
}
