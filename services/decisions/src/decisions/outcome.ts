import { ApiError, type Decision, type DecisionUpdate } from '@waymark/contracts';

/** The outcome fields of a decision. */
export type OutcomeFields = Pick<
  Decision,
  'outcome' | 'outcome_notes' | 'outcome_confidence' | 'outcome_confidence_kind'
>;

/** The outcome fields of a decision without an outcome. */
export const unknownOutcome: OutcomeFields = {
  outcome: 'pending',
  outcome_notes: null,
  outcome_confidence: null,
  outcome_confidence_kind: null,
};

/**
 * Returns the outcome fields after a request, and whether it logged an outcome. `hadOutcome`: one was logged
 * before, even if the decision is pending again. Throws CONFLICT when a settled confidence would change.
 */
export function settleOutcome(
  before: OutcomeFields,
  given: Pick<DecisionUpdate, 'outcome' | 'outcome_notes' | 'outcome_confidence'>,
  hadOutcome: boolean,
): { fields: OutcomeFields; isLogged: boolean } {
  const outcome = given.outcome ?? before.outcome;
  const fields: OutcomeFields = {
    outcome,
    outcome_notes: given.outcome_notes === undefined ? before.outcome_notes : given.outcome_notes,
    ...settleConfidence(before, given.outcome_confidence, { hadOutcome, isOutcome: outcome !== 'pending' }),
  };
  // The same outcome with the same notes is a repeat of the request, not another logging.
  const isNews = outcome !== before.outcome || fields.outcome_notes !== before.outcome_notes;
  const staysPending = outcome === 'pending' && before.outcome === 'pending';
  return { fields, isLogged: given.outcome !== undefined && isNews && !staysPending };
}

/** A confidence is a forecast before the first outcome, and retrospective together with it. */
function settleConfidence(
  { outcome_confidence, outcome_confidence_kind }: OutcomeFields,
  given: number | null | undefined,
  { hadOutcome, isOutcome }: { hadOutcome: boolean; isOutcome: boolean },
): Pick<OutcomeFields, 'outcome_confidence' | 'outcome_confidence_kind'> {
  if (given === undefined || given === outcome_confidence)
    return { outcome_confidence, outcome_confidence_kind };
  if (hadOutcome) throw frozen('was settled by the first outcome');
  if (isOutcome && outcome_confidence !== null) throw frozen('is a forecast, which the outcome freezes');
  if (given === null) return { outcome_confidence: null, outcome_confidence_kind: null };
  return { outcome_confidence: given, outcome_confidence_kind: isOutcome ? 'retrospective' : 'forecast' };
}

function frozen(why: string): ApiError {
  return new ApiError('CONFLICT', {
    message: `outcomeConfidence ${why}; leave it out or send it unchanged.`,
  });
}
