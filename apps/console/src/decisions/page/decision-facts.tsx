import { Group, Stack, Text } from '@mantine/core';
import { dayInWords } from '../../ui/text/day.ts';
import { ImportedBy } from '../../ui/text/imported-by.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { DecisionOutcome, DecisionStatus } from '../decision-badges.tsx';
import { DecisionTags } from '../decision-tags.tsx';
import { type Decision, isOverdue } from '../decision-words.ts';

/** The facts of a decision. */
export function DecisionFacts({ decision }: { decision: Decision }) {
  const { status, outcome, outcome_confidence: confidence } = decision;
  const kind = decision.outcome_confidence_kind === 'forecast' ? 'Forecast' : 'Confidence afterwards';
  const facts = [
    ['Decided by', decision.decided_by],
    ['Outcome expected by', decision.expected_by && dayInWords(decision.expected_by)],
    [kind, confidence === null ? null : `${Math.round(confidence * 1_000) / 10} %`],
  ];
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <DecisionStatus status={status} />
        <DecisionOutcome outcome={outcome} />
        {isOverdue(decision) && (
          <Text span size="sm" c="red" fw={600}>
            overdue
          </Text>
        )}
      </Group>
      <div>
        <DecisionTags decision={decision} />
      </div>
      {facts.map(
        ([label, value]) =>
          value && (
            <Text key={label} size="sm">
              <Text span size="sm" c="dimmed">
                {label}:
              </Text>{' '}
              {value}
            </Text>
          ),
      )}
      <Text size="sm" c="dimmed">
        Created <Moment at={decision.created_at} />, changed <Moment at={decision.updated_at} />
        <ImportedBy author={decision.imported_by} />
      </Text>
    </Stack>
  );
}
