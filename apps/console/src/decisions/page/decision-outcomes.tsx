import { Group, Stack } from '@mantine/core';
import { decisionPageTexts as t } from '../../texts/decision-page.ts';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { Hint } from '../../ui/text/hint.ts';
import { ImportedBy } from '../../ui/text/imported-by.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { Section } from '../../ui/text/section.tsx';
import { DecisionOutcome } from '../decision-badges.tsx';
import type { DecisionParts } from '../decision-query.ts';
import { useDecisionPart } from './use-decision-part.ts';

/** Every logged outcome, latest first; renders nothing without one. */
export function DecisionOutcomes({ id, first }: { id: string; first: DecisionParts['outcomes'] }) {
  const outcomes = useDecisionPart(id, 'outcomes', first);
  if (outcomes.items.length === 0) return null;
  return (
    <Section title={t.outcomes}>
      <Stack gap="xs">
        {outcomes.items.map(({ id: recordId, outcome, notes, imported_by, logged_at }) => (
          <div key={recordId}>
            <Group gap="xs">
              <DecisionOutcome outcome={outcome} />
              <Hint>
                <Moment at={logged_at} />
                <ImportedBy author={imported_by} />
              </Hint>
            </Group>
            {notes && <Markdown size="sm">{notes}</Markdown>}
          </div>
        ))}
      </Stack>
      {outcomes.isError && <ProblemAlert error={outcomes.error} retry={outcomes.refetch} />}
      <LoadMore query={outcomes} />
    </Section>
  );
}
