import { z } from 'zod';
import { limits } from '../limits.ts';
import { body } from '../schema/body.ts';
import { defaultsOf, example } from '../schema/fields.ts';
import { component, integer, page, text, time, uuid, workspaceInBody } from '../schema/types.ts';
import { Author, importedBy } from './audit.ts';

const probability = () => example(z.number().min(0).max(1), 0.7);

export const ForecastPut = body({
  ...workspaceInBody,
  probability: probability().describe('How likely the decision is a success'),
  reason: text(limits.reasonCharacters, 1).nullable().optional().describe('Why you hold it so likely'),
}).meta({ id: 'ForecastPut' });
export type ForecastPut = z.output<typeof ForecastPut>;

export const Forecast = component('Forecast', 'How likely somebody holds the success of a decision', {
  id: uuid(),
  workspace_id: uuid(),
  decision_id: uuid(),
  probability: probability(),
  reason: z.string().nullable(),
  forecaster: Author.describe('A user or a service account, also where a key has sent it'),
  state: z.enum(['current', 'replaced']).describe('replaced: by a later forecast of the same forecaster'),
  imported_by: importedBy(),
  created_at: time(),
  ended_at: time().nullable().describe('When it was replaced'),
});
export type Forecast = z.output<typeof Forecast>;
export const forecastDefaults = defaultsOf(Forecast);

export const GivenForecast = component(
  'GivenForecast',
  'That somebody gave a forecast; the number is null where the workspace hides forecasts',
  {
    ...Forecast.shape,
    probability: probability().nullable(),
  },
);
export type GivenForecast = z.output<typeof GivenForecast>;

export const DecisionForecasts = page(Forecast)
  .extend({
    count: integer().describe('How many forecasters have given one'),
    hidden: z.boolean().describe('Whether the forecasts of others are left out until you have given one'),
    open: z.boolean().describe('False from the first outcome on'),
    mine: Forecast.nullable(),
    median: example(z.number().min(0).max(1).nullable(), 0.7),
    extremized_mean: example(z.number().min(0).max(1).nullable(), 0.78).describe(
      'The mean log-odds times 1.5, as a probability: Satopää et al. (2014). Null below two forecasters',
    ),
  })
  .meta({ id: 'DecisionForecasts', description: 'The current forecasts of a decision, newest first' });
export type DecisionForecasts = z.output<typeof DecisionForecasts>;

const figure = () => z.number().nullable();
const accuracy = {
  decisions: integer().describe('Scored ones: their outcome is success, partial or failure'),
  forecasts: integer(),
  brier_score: figure().describe('The mean of (forecast - outcome)^2. Null below ten decisions, as all'),
  base_rate: figure().describe('The mean outcome'),
  skill: figure().describe(
    '1 - Brier score / that of always forecasting the base rate. Null where all outcomes are the same',
  ),
  reliability: figure().describe('Murphy (1973), over ten bins of forecasts: 0 is best'),
  resolution: figure().describe('Murphy (1973), over the same bins: higher is better'),
};
const Accuracy = component('ForecastAccuracy', 'How well forecasts have met the outcomes', accuracy);
export type Accuracy = z.output<typeof Accuracy>;

export const Calibration = component(
  'Calibration',
  'How well the forecasts of people and agents met the outcomes',
  {
    workspace_id: uuid(),
    all: Accuracy,
    forecasters: z
      .array(z.object({ id: z.string(), name: z.string().nullable(), ...accuracy }))
      .describe(`Those with most decisions first; at most ${limits.facetValues}, as of types and tags`),
    types: z.array(z.object({ value: z.string(), ...accuracy })),
    tags: z.array(z.object({ value: z.string(), ...accuracy })),
  },
);
export type Calibration = z.output<typeof Calibration>;
