import { Stack } from '@mantine/core';
import { decisionTexts } from '../../texts/decision.ts';
import { decisionListTexts } from '../../texts/decision-list.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { percent } from '../../texts/format.ts';
import { Person } from '../../ui/avatar.tsx';
import { lazyPart } from '../../ui/lazy-page.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { dayInWords } from '../../ui/text/day.ts';
import { Hint } from '../../ui/text/hint.ts';
import { ImportedBy } from '../../ui/text/imported-by.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { FramedSection } from '../../ui/text/section.tsx';
import { DecisionTag } from '../decision-tags.tsx';
import type { Decision } from '../decision-words.ts';
import { reviewInWords } from '../field-in-words.ts';
import { Editable, type Editing } from './editable.tsx';
import { Fact } from './fact.tsx';

const PeopleFact = lazyPart(() => import('./people-fact.tsx'));

/** The facts of a decision, beside its texts. `author` is null where it is not known. */
export function DecisionFacts(props: { decision: Decision; author: string | null; editing: Editing }) {
  const { decision, author, editing } = props;
  const t = decisionPageTexts.facts;
  const { field: labelOf } = decisionTexts;
  const { deciders, consulted, informed } = decision;
  const { decided_by, expected_by, outcome_confidence: confidence, decision_type: type, tags } = decision;
  const { review_by, review_every_months: interval, last_review: review } = decision;
  const people = deciders.length + consulted.length + informed.length;
  const isBare = type === null && tags.length + people === 0 && !decided_by;
  const kind = decision.outcome_confidence_kind === 'forecast' ? t.forecast : t.afterwards;
  return (
    <FramedSection id="facts" title={t.title}>
      <Stack gap="xs">
        <Editable section="facts" editing={editing} gap="xs">
          {isBare && <Hint>{t.bare}</Hint>}
          {type !== null && (
            <Fact label={labelOf('decision_type')}>
              <DecisionTag type={type} />
            </Fact>
          )}
          {tags.length > 0 && (
            <Fact label={labelOf('tags')}>
              {tags.map((tag) => (
                <DecisionTag key={tag} tag={tag} />
              ))}
            </Fact>
          )}
          {decided_by && (
            <Fact label={labelOf('decided_by')}>
              <Person name={decided_by} />
            </Fact>
          )}
          {people > 0 && (
            <LazyPart>
              <PeopleFact label={labelOf('deciders')} entries={deciders} />
              <PeopleFact label={labelOf('consulted')} entries={consulted} />
              <PeopleFact label={labelOf('informed')} entries={informed} />
            </LazyPart>
          )}
        </Editable>
        {(expected_by !== null || confidence !== null) && (
          <Editable section="forecast" editing={editing} gap="xs">
            {expected_by && <Fact label={labelOf('expected_by')}>{dayInWords(expected_by)}</Fact>}
            {confidence !== null && <Fact label={kind}>{percent(confidence, 1)}</Fact>}
          </Editable>
        )}
        {(review_by !== null || interval !== null || review !== null) && (
          <Editable section="review" editing={editing} gap="xs">
            {review_by && <Fact label={labelOf('review_by')}>{dayInWords(review_by)}</Fact>}
            {interval !== null && <Fact label={labelOf('review_every_months')}>{String(interval)}</Fact>}
            {review && (
              <Fact label={labelOf('last_review')}>
                {reviewInWords(review)}, <Moment at={review.reviewed_at} />
              </Fact>
            )}
          </Editable>
        )}
        {author !== null && (
          <Fact label={decisionListTexts.columns.author}>
            <Person name={author} />
          </Fact>
        )}
        {decision.external_id && <Fact label={labelOf('external_id')}>{decision.external_id}</Fact>}
        <Hint>
          {decision.version === 1
            ? t.created(<Moment at={decision.created_at} />)
            : t.times(<Moment at={decision.created_at} />, <Moment at={decision.updated_at} />)}
          <ImportedBy author={decision.imported_by} />
        </Hint>
      </Stack>
    </FramedSection>
  );
}
