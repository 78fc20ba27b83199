import { Group, List, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';

const NAMES: Record<Schemas['Quality']['components'][number]['name'], string> = {
  frame: 'Frame',
  alternatives: 'Alternatives',
  information: 'Information',
  trade_offs: 'Trade-offs',
  reasoning: 'Reasoning',
  commitment: 'Commitment',
  learnability: 'Learnability',
};

/** The score of a decision, its components, and how to raise it. */
export function QualityBreakdown({ quality }: { quality: Schemas['Quality'] }) {
  const raises = quality.components.flatMap(({ raise }) => raise).sort((a, b) => b.points - a.points);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="quality">
      <Group justify="space-between" align="baseline" mb="sm">
        <Title order={2} size="h4" id="quality">
          Quality
        </Title>
        <Text aria-label={`Quality score ${quality.score} of 100`} role="img">
          <Text span fz={28} fw={600} data-score>
            {quality.score}
          </Text>{' '}
          of 100
        </Text>
      </Group>
      <Stack gap="xs">
        {quality.components.map(({ name, points, max }) => (
          <div key={name}>
            <Group justify="space-between">
              <Text size="sm">{NAMES[name]}</Text>
              <Text size="sm" c="dimmed">
                {Math.round(points)} of {max}
              </Text>
            </Group>
            <Progress value={(100 * points) / max} aria-label={NAMES[name]} size="sm" />
          </div>
        ))}
      </Stack>
      {quality.capped && (
        <Text size="sm" mt="sm">
          Limited to 50 until the decision has a frame, at least two options, and reasoning.
        </Text>
      )}
      {raises.length > 0 && (
        <>
          <Title order={3} size="h6" mt="md" mb="2xs">
            How to raise the score
          </Title>
          <List size="sm" spacing="2xs">
            {raises.map(({ action, points }) => (
              <List.Item key={action}>
                {action}{' '}
                <Text span size="sm" c="dimmed">
                  +{Math.max(1, Math.round(points))}
                </Text>
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Paper>
  );
}
