import { ApiError, type Decision, newId, type Outcome, type OutcomeRecord } from '@waymark/contracts';

/** The outcome fields of a decision. */
export type OutcomeFields = Pick<
  Decision,
  'outcome' | 'outcome_notes' | 'outcome_confidence' | 'outcome_confidence_kind'
>;

export interface GivenOutcome {
  outcome?: Outcome | undefined;
  outcome_notes?: string | null | undefined;
  outcome_confidence?: number | null | undefined;
}

/** The outcome fields of a decision without an outcome. */
export const unknownOutcome: OutcomeFields = {
  outcome: 'pending',
  outcome_notes: null,
  outcome_confidence: null,
  outcome_confidence_kind: null,
};

/**
 * Returns the outcome fields after a request, and whether it logged an outcome. `hadOutcome`: whether an
 * outcome was ever logged, even if the decision is pending again. A confidence is a forecast before the first
 * outcome and retrospective together with it; a later change throws CONFLICT.
 */
export function settleOutcome(
  before: OutcomeFields,
  given: GivenOutcome,
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

function settleConfidence(
  before: OutcomeFields,
  given: number | null | undefined,
  { hadOutcome, isOutcome }: { hadOutcome: boolean; isOutcome: boolean },
): Pick<OutcomeFields, 'outcome_confidence' | 'outcome_confidence_kind'> {
  const { outcome_confidence, outcome_confidence_kind } = before;
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

/** Returns the record of a logging: the outcome fields of the decision at that time. */
export function outcomeRecord(decision: Decision, loggedBy: string): OutcomeRecord {
  return {
    id: newId(),
    workspace_id: decision.workspace_id,
    decision_id: decision.id,
    outcome: decision.outcome,
    notes: decision.outcome_notes,
    confidence: decision.outcome_confidence,
    confidence_kind: decision.outcome_confidence_kind,
    logged_by: loggedBy,
    logged_at: decision.updated_at,
  };
}
