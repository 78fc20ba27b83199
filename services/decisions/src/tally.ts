import type { Decision } from '@waymark/contracts';
import {
  CALIBRATION_BINS,
  type ForecastCell,
  observedValues,
  type ScoredOutcome,
} from './metrics/calibration.ts';

/**
 * What one key of a workspace's tallies comes to, or by how much it changes. All are whole numbers, so that what is added and later
 * taken away leaves nothing: `sum` and `squares` of forecasts count billionths.
 */
export interface Tally {
  key: string;
  count: number;
  sum: number;
  squares: number;
}

/** What of a decision its workspace's metrics count. */
export type Tallied = Pick<
  Decision,
  'outcome' | 'quality_score' | 'outcome_confidence' | 'outcome_confidence_kind' | 'expected_by' | 'status'
>;

const BILLION = 1e9;
/** Decisions that nobody waits for any more. */
export const SETTLED_STATUSES = ['rejected', 'archived'] as const;

export const outcomeKey = (outcome: string) => `outcome/${outcome}`;
const forecastKey = (outcome: string, confidence: number) => `forecast/${outcome}/${binOf(confidence)}`;
/** By month, of which a workspace has few: how many are due by now is told from the months before this one. */
export const dueKey = (expectedBy: string) => `due/${expectedBy.slice(0, 'yyyy-mm'.length)}`;

const binOf = (confidence: number) =>
  Math.min(CALIBRATION_BINS - 1, Math.floor(confidence * CALIBRATION_BINS));

export function forecastTally(outcome: string, confidence: number, count: number): Tally {
  const sum = count * Math.round(confidence * BILLION);
  const squares = count * Math.round(confidence * confidence * BILLION);
  return { key: forecastKey(outcome, confidence), count, sum, squares };
}

/** What a decision adds to each key. */
function talliesOf(decision: Tallied): Tally[] {
  const { outcome, quality_score, outcome_confidence, outcome_confidence_kind, expected_by, status } =
    decision;
  const isForecast = outcome_confidence_kind === 'forecast' && outcome_confidence !== null;
  const isAwaited = outcome === 'pending' && !(SETTLED_STATUSES as readonly string[]).includes(status);
  return [
    { key: outcomeKey(outcome), count: 1, sum: quality_score, squares: 0 },
    ...(isForecast && outcome in observedValues ? [forecastTally(outcome, outcome_confidence, 1)] : []),
    ...(isAwaited && expected_by !== null
      ? [{ key: dueKey(expected_by), count: 1, sum: 0, squares: 0 }]
      : []),
  ];
}

/** By how much each key changes when `before` become `after`; keys that stay as they are are left out. */
export function tallyChanges(before: readonly Tallied[], after: readonly Tallied[]): Tally[] {
  return difference(before.flatMap(talliesOf), after.flatMap(talliesOf));
}

/** What is to be added to `from`, key by key, to come to `to`. */
export function difference(from: readonly Tally[], to: readonly Tally[]): Tally[] {
  const changes = new Map<string, Tally>();
  const add = ({ key, count, sum, squares }: Tally, sign: 1 | -1) => {
    const known = changes.get(key) ?? { key, count: 0, sum: 0, squares: 0 };
    known.count += sign * count;
    known.sum += sign * sum;
    known.squares += sign * squares;
    changes.set(key, known);
  };
  for (const tally of from) add(tally, -1);
  for (const tally of to) add(tally, 1);
  return [...changes.values()].filter(({ count, sum, squares }) => count !== 0 || sum !== 0 || squares !== 0);
}

/** One tally for each key that does not come to nothing. */
export const addUp = (tallies: readonly Tally[]): Tally[] => difference([], tallies);

/** The forecasts among tallies, by bin and outcome. */
export function forecastCells(tallies: readonly Tally[]): ForecastCell[] {
  return tallies.flatMap(({ key, count, sum, squares }) => {
    const [kind, outcome, bin] = key.split('/');
    if (kind !== 'forecast') return [];
    const cell = { count, sum: sum / BILLION, squares: squares / BILLION };
    return [{ bin: Number(bin), outcome: outcome as ScoredOutcome, ...cell }];
  });
}

export interface DecisionCounts {
  total: number;
  withOutcome: number;
  qualitySum: number;
  /** Pending ones that were due in the months that were read. */
  due: number;
}

export function decisionCounts(tallies: readonly Tally[]): DecisionCounts {
  const counts: DecisionCounts = { total: 0, withOutcome: 0, qualitySum: 0, due: 0 };
  for (const { key, count, sum } of tallies) {
    if (key.startsWith('due/')) counts.due += count;
    if (!key.startsWith('outcome/')) continue;
    counts.total += count;
    counts.qualitySum += sum;
    if (key !== outcomeKey('pending')) counts.withOutcome += count;
  }
  return counts;
}
