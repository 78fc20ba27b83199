import { Group, Text } from '@mantine/core';

/** The legend of a chart, with colours and patterns. */
export function ChartLegend({ entries }: { entries: { name: string; mark: string }[] }) {
  return (
    <Group
      component="ul"
      gap="md"
      m={0}
      p={0}
      style={{ listStyle: 'none', rowGap: 'var(--mantine-spacing-2xs)' }}
    >
      {entries.map(({ name, mark }) => (
        <Group key={name} component="li" gap="xs" wrap="nowrap">
          <span className="chart-mark" data-mark={mark} aria-hidden />
          <Text span size="sm" className="sentence">
            {name}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
