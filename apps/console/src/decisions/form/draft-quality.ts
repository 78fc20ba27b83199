import { type Quality, type QualityModel, type ScoredFields, scoreDecision } from '@waymark/quality';
import { bodyOf, type DecisionEntries } from '../decision-entries.ts';
import type { Decision } from '../decision-words.ts';

/**
 * Scores the input so far, as the service will, and ignores a forecast that is not a number yet.
 * `model` is the one of the workspace. `frozenKind` is the kind of the confidence that an outcome has frozen.
 */
export function draftQuality(
  entries: DecisionEntries,
  model: QualityModel,
  frozenKind?: Decision['outcome_confidence_kind'],
): Quality {
  const body = bodyOf(entries);
  const { outcomeConfidence } = body;
  const isForecast = outcomeConfidence !== null && outcomeConfidence >= 0 && outcomeConfidence <= 1;
  const draftKind = isForecast ? 'forecast' : null;
  const fields: ScoredFields = {
    title: body.title || (body.question ?? ''),
    question: body.question,
    description: body.description,
    status: body.status,
    resolution: body.resolution,
    rationale: body.rationale,
    options_considered: body.optionsConsidered,
    criteria: body.criteria,
    decision_type: body.decisionType,
    tags: body.tags,
    expected_by: body.expectedBy,
    decided_by: body.decidedBy,
    deciders: body.deciders,
    outcome: 'pending',
    outcome_confidence_kind: frozenKind === undefined ? draftKind : frozenKind,
  };
  return scoreDecision(fields, { model, forecastOpen: frozenKind === undefined });
}
