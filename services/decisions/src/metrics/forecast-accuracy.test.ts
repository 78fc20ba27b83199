import { expect, it } from '@jest/globals';
import { accuracyOf, type ScoredForecast } from './forecast-accuracy.ts';

const given = (count: number, probability: number, outcome: ScoredForecast['outcome'], first: number) =>
  Array.from({ length: count }, (_, i) => ({ decision_id: `d${first + i}`, probability, outcome }));
/** 0.8 comes true four times of five, 0.3 twice of five. */
const tenDecisions = [
  ...given(4, 0.8, 'success', 0),
  ...given(1, 0.8, 'failure', 4),
  ...given(2, 0.3, 'success', 5),
  ...given(3, 0.3, 'failure', 7),
];

it('splits the Brier score into reliability, resolution and the uncertainty of the outcomes', () => {
  const accuracy = accuracyOf(tenDecisions);
  const brier = (4 * 0.04 + 0.64 + 2 * 0.49 + 3 * 0.09) / 10;
  expect(accuracy).toEqual({
    decisions: 10,
    forecasts: 10,
    brier_score: expect.closeTo(brier, 12),
    base_rate: expect.closeTo(0.6, 12),
    skill: expect.closeTo(1 - brier / 0.24, 12),
    reliability: expect.closeTo((0 + 0.1 ** 2) / 2, 12),
    resolution: expect.closeTo(0.2 ** 2, 12),
  });
  expect(accuracy.reliability! - accuracy.resolution! + 0.24).toBeCloseTo(brier, 12);
});

it('has no figure below ten decisions, however many forecasts they have', () => {
  const nine = tenDecisions.slice(1);
  const none = { brier_score: null, base_rate: null, skill: null, reliability: null, resolution: null };
  expect(accuracyOf([...nine, ...nine])).toEqual({ decisions: 9, forecasts: 18, ...none });
});

it('has no skill where all outcomes are the same, and counts a partial success as a half', () => {
  expect(accuracyOf(given(10, 1, 'success', 0))).toMatchObject({
    brier_score: 0,
    skill: null,
    resolution: 0,
  });
  expect(accuracyOf(given(10, 0.5, 'partial', 0))).toMatchObject({ base_rate: 0.5, reliability: 0 });
});
