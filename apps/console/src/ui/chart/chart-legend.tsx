import { Group, Text } from '@mantine/core';

/** What each color of a chart means, and, for who does not tell colors, each pattern. */
export function ChartLegend({ entries }: { entries: { name: string; mark: string }[] }) {
  return (
    <Group component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none', rowGap: 4 }}>
      {entries.map(({ name, mark }) => (
        <Group key={name} component="li" gap={6} wrap="nowrap">
          <span className="chart-mark" data-mark={mark} aria-hidden />
          <Text span size="sm">
            {name}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
