import { Paper, Progress, SimpleGrid, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { number } from '../texts/format.ts';
import { insightTexts } from '../texts/insight.ts';
import { Section } from '../ui/text/section.tsx';

const tenth = (value: number) => number(value, { maximumFractionDigits: 1 });

/** The workspace metric and its counts. */
export function WorkspaceMetric({ metrics }: { metrics: Schemas['Metrics'] }) {
  const t = insightTexts.metric;
  const { wms, decisions_total, decisions_with_outcome, overdue, average_quality_score } = metrics;
  const parts = [
    { name: 'decisions', value: number(decisions_total) },
    { name: 'withOutcome', value: number(decisions_with_outcome) },
    { name: 'overdue', value: number(overdue) },
    { name: 'quality', value: average_quality_score === null ? '–' : tenth(average_quality_score) },
  ] as const;
  return (
    <Section title={t.title} about={t.about}>
      <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm">
        <Paper withBorder p="md">
          <Text size="xl" fw={600} data-metric="wms">
            {tenth(wms)}
          </Text>
          <Text size="sm" className="tile-name">
            {t.value}
          </Text>
          <Progress value={wms} mt="xs" aria-label={t.title} />
        </Paper>
        {parts.map(({ name, value }) => (
          <Paper key={name} withBorder p="md">
            <Text size="xl" fw={600} data-metric={name}>
              {value}
            </Text>
            <Text size="sm" className="tile-name">
              {t[name]}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
    </Section>
  );
}
