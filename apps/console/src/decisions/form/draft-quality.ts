import { type Quality, scoreDecision } from '@waymark/quality';
import { bodyOf, type DecisionEntries } from '../decision-entries.ts';

/** Scores what the form has so far, as the service will, and ignores a forecast that is not a number yet. */
export function draftQuality(entries: DecisionEntries): Quality {
  const body = bodyOf(entries);
  const { outcomeConfidence } = body;
  const isForecast = outcomeConfidence !== null && outcomeConfidence >= 0 && outcomeConfidence <= 1;
  return scoreDecision({
    title: body.title || (body.question ?? ''),
    question: body.question,
    description: body.description,
    resolution: body.resolution,
    rationale: body.rationale,
    options_considered: body.optionsConsidered,
    criteria: body.criteria,
    decision_type: body.decisionType,
    tags: body.tags,
    expected_by: body.expectedBy,
    decided_by: body.decidedBy,
    outcome: 'pending',
    outcome_confidence_kind: isForecast ? 'forecast' : null,
  });
}
