import { describe, expect, it } from '@jest/globals';
import { type OutcomeFields, settleOutcome, unknownOutcome } from './outcome.ts';

const forecast: OutcomeFields = {
  ...unknownOutcome,
  outcome_confidence: 0.7,
  outcome_confidence_kind: 'forecast',
};
const conflict = expect.objectContaining({ code: 'CONFLICT' });

describe('settleOutcome', () => {
  it('treats a confidence without an outcome as a forecast, which may be changed or removed until then', () => {
    const { fields, isLogged } = settleOutcome(unknownOutcome, { outcome_confidence: 0.7 }, false);
    expect(fields).toEqual(forecast);
    expect(isLogged).toBe(false);
    expect(settleOutcome(forecast, { outcome_confidence: 0.2 }, false).fields).toEqual({
      ...forecast,
      outcome_confidence: 0.2,
    });
    expect(settleOutcome(forecast, { outcome_confidence: null }, false).fields).toEqual(unknownOutcome);
  });

  it('treats a confidence that comes with the first outcome as retrospective', () => {
    expect(settleOutcome(unknownOutcome, { outcome: 'failure', outcome_confidence: 0.1 }, false)).toEqual({
      fields: {
        outcome: 'failure',
        outcome_notes: null,
        outcome_confidence: 0.1,
        outcome_confidence_kind: 'retrospective',
      },
      isLogged: true,
    });
  });

  it('keeps a forecast when the first outcome is logged, and refuses another value with that outcome', () => {
    expect(settleOutcome(forecast, { outcome: 'success' }, false).fields).toEqual({
      ...forecast,
      outcome: 'success',
    });
    const same = settleOutcome(forecast, { outcome: 'success', outcome_confidence: 0.7 }, false);
    expect(same.fields.outcome_confidence_kind).toBe('forecast');
    for (const outcome_confidence of [0.9, null]) {
      expect(() => settleOutcome(forecast, { outcome: 'success', outcome_confidence }, false)).toThrow(
        conflict,
      );
    }
  });

  it('refuses a change after the first outcome, also when the decision is pending again or had no confidence', () => {
    const after: OutcomeFields = { ...forecast, outcome: 'success' };
    expect(() => settleOutcome(after, { outcome_confidence: 0.9 }, true)).toThrow(conflict);
    expect(() => settleOutcome(after, { outcome: 'pending', outcome_confidence: 0.9 }, true)).toThrow(
      conflict,
    );
    expect(() => settleOutcome(forecast, { outcome_confidence: 0.9 }, true)).toThrow(conflict);
    expect(() => settleOutcome(unknownOutcome, { outcome_confidence: 0.9 }, true)).toThrow(conflict);
    expect(settleOutcome(forecast, { outcome_confidence: 0.7 }, true).fields).toEqual(forecast);
  });

  it('logs only news: another outcome, other notes, or the return to pending', () => {
    const failed: OutcomeFields = { ...unknownOutcome, outcome: 'failure', outcome_notes: 'late' };
    const isLogged = (before: OutcomeFields, given: Parameters<typeof settleOutcome>[1]) =>
      settleOutcome(before, given, before.outcome !== 'pending').isLogged;
    expect(isLogged(unknownOutcome, { outcome: 'failure' })).toBe(true);
    expect(isLogged(failed, { outcome: 'success' })).toBe(true);
    expect(isLogged(failed, { outcome: 'failure', outcome_notes: 'very late' })).toBe(true);
    expect(isLogged(failed, { outcome: 'pending' })).toBe(true);
    expect(isLogged(unknownOutcome, { outcome: 'pending', outcome_notes: 'wait' })).toBe(false);
    expect(isLogged(failed, { outcome: 'failure' })).toBe(false);
    expect(isLogged(failed, { outcome_notes: 'very late' })).toBe(false);
  });
});
