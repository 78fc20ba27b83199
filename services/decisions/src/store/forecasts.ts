import { type CursorCodec, type Decision, type Forecast, forecastDefaults } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  keysetPage,
  type PageRequest,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { DECISIONS, FORECASTS, type StoredForecast } from './collections.ts';
import { SCORED_OUTCOMES, type ScoredOutcome } from './metrics-counts.ts';

type Of = Pick<Decision, 'id' | 'workspace_id'>;
/** A current forecast of a decision with an outcome that it is compared with. */
export interface JudgedForecast
  extends Pick<Forecast, 'decision_id' | 'probability' | 'forecaster'>,
    Pick<Decision, 'decision_type' | 'tags'> {
  outcome: ScoredOutcome;
}

const forecastOf = (document: StoredForecast) => fromDocument<Forecast>(document, forecastDefaults);
const current = ({ id, workspace_id }: Of) => ({ workspace_id, decision_id: id, state: 'current' as const });
const JUDGING_MS = 10_000;

export function forecastStore(database: Database, cursors: CursorCodec) {
  const forecasts = database.collection<StoredForecast>(FORECASTS);

  return {
    /** Returns the current forecast of a user or a service account. */
    async of(decision: Of, forecaster: string, session?: ClientSession): Promise<Forecast | null> {
      const filter = { ...current(decision), 'forecaster.id': forecaster };
      const found = await forecasts.findOne(filter, session && { session });
      return found && forecastOf(found);
    },

    /** Stores a forecast in place of `before`. */
    async replace(before: Forecast | null, after: Forecast, session: ClientSession): Promise<void> {
      const { workspace_id, created_at: ended_at } = after;
      const ended = { $set: { state: 'replaced' as const, ended_at } };
      if (before) await forecasts.updateOne({ workspace_id, _id: before.id }, ended, { session });
      await forecasts.insertOne(toDocument(after), { session });
    },

    page: (decision: Of, page: PageRequest) =>
      keysetPage<Forecast>({
        collection: forecasts,
        filter: current(decision),
        sort: [['_id', -1]],
        page,
        cursors,
        scope: JSON.stringify(['forecasts', decision.workspace_id, decision.id]),
        defaults: forecastDefaults,
      }),

    async probabilities(decision: Of): Promise<number[]> {
      const found = forecasts
        .find(current(decision))
        .project<Pick<Forecast, 'probability'>>({ probability: 1 });
      return (await found.toArray()).map(({ probability }) => probability);
    },

    judged: (workspace_id: string) =>
      forecasts.aggregate<JudgedForecast>(
        [
          { $match: { workspace_id, state: 'current' } },
          {
            $lookup: {
              from: DECISIONS,
              localField: 'decision_id',
              foreignField: '_id',
              pipeline: [
                { $match: { workspace_id, outcome: { $in: SCORED_OUTCOMES } } },
                { $project: { _id: 0, outcome: 1, decision_type: 1, tags: 1 } },
              ],
              as: 'decision',
            },
          },
          { $unwind: '$decision' },
          { $replaceWith: { $mergeObjects: ['$decision', '$$ROOT'] } },
          {
            $project: {
              _id: 0,
              decision_id: 1,
              probability: 1,
              forecaster: 1,
              outcome: 1,
              decision_type: 1,
              tags: 1,
            },
          },
        ],
        { maxTimeMS: JUDGING_MS },
      ),
  };
}
