import { describe, expect, it } from '@jest/globals';
import type { ForecastCell } from '../store/metrics-counts.ts';
import { calibrate } from './calibration.ts';

const cell = (bin: number, outcome: ForecastCell['outcome'], forecasts: number[]): ForecastCell => ({
  bin,
  outcome,
  count: forecasts.length,
  sum: forecasts.reduce((sum, forecast) => sum + forecast, 0),
  squares: forecasts.reduce((sum, forecast) => sum + forecast * forecast, 0),
});

describe('calibrate', () => {
  it('is null below ten scored forecasts', () => {
    expect(calibrate([])).toBeNull();
    expect(calibrate([cell(5, 'success', Array(9).fill(0.5))])).toBeNull();
    expect(calibrate([cell(5, 'success', Array(10).fill(0.5))])).toMatchObject({
      scored: 10,
      brier_score: 0.25,
    });
  });

  it('is the mean squared error, with partial success as a half', () => {
    const calibration = calibrate([
      cell(8, 'success', [0.8, 0.8, 0.8, 0.8, 0.8, 0.8]),
      cell(8, 'failure', [0.8, 0.8]),
      cell(5, 'partial', [0.5]),
      cell(9, 'success', [1]),
    ])!;
    expect(calibration.brier_score).toBeCloseTo((6 * 0.04 + 2 * 0.64) / 10, 12);
    expect(calibration.base_rate).toBeCloseTo(0.75, 12);
    expect(calibration.bins).toHaveLength(10);
    expect(calibration.bins[8]).toEqual({
      from: 0.8,
      to: 0.9,
      count: 8,
      mean_forecast: expect.closeTo(0.8),
      observed_rate: 0.75,
    });
    expect(calibration.bins[0]).toEqual({
      from: 0,
      to: 0.1,
      count: 0,
      mean_forecast: null,
      observed_rate: null,
    });
    expect(calibration.bins.reduce((sum, { count }) => sum + count, 0)).toBe(10);
  });

  it('is not negative for forecasts that all came true', () => {
    expect(calibrate([cell(9, 'success', Array(30).fill(1))])!.brier_score).toBe(0);
    expect(calibrate([cell(0, 'failure', Array(30).fill(0))])!.brier_score).toBe(0);
  });
});
