import { Paper, Progress, SimpleGrid, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { Section } from './section.tsx';

const tenth = (value: number) => value.toLocaleString(undefined, { maximumFractionDigits: 1 });

/** The workspace metric and its counts. */
export function WorkspaceMetric({ metrics }: { metrics: Schemas['Metrics'] }) {
  const { wms, decisions_total, decisions_with_outcome, overdue, average_quality_score } = metrics;
  const parts = [
    { name: 'decisions', value: decisions_total.toLocaleString() },
    { name: 'with an outcome', value: decisions_with_outcome.toLocaleString() },
    { name: 'outcome overdue', value: overdue.toLocaleString() },
    {
      name: 'quality score on average',
      value: average_quality_score === null ? '–' : tenth(average_quality_score),
    },
  ];
  return (
    <Section
      title="Workspace metric"
      about="The workspace metric (WMS) is the share of all decisions whose outcome is known, from 0 to 100. Logging an outcome raises it; a new decision lowers it until its outcome is known."
    >
      <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm">
        <Paper withBorder p="md">
          <Text size="xl" fw={600} data-metric="wms">
            {tenth(wms)}
          </Text>
          <Text size="sm">workspace metric</Text>
          <Progress value={wms} mt="xs" aria-label="Workspace metric" />
        </Paper>
        {parts.map(({ name, value }) => (
          <Paper key={name} withBorder p="md">
            <Text size="xl" fw={600} data-metric={name}>
              {value}
            </Text>
            <Text size="sm">{name}</Text>
          </Paper>
        ))}
      </SimpleGrid>
    </Section>
  );
}
