import { Badge, ColorSwatch } from '@mantine/core';

/** A state in a word, with a color beside it that nobody has to see. */
export function StatusBadge({ color, children }: { color: string; children: string }) {
  return (
    <Badge
      variant="default"
      tt="none"
      miw="max-content"
      leftSection={<ColorSwatch size={8} color={`var(--mantine-color-${color}-6)`} withShadow={false} />}
    >
      {children}
    </Badge>
  );
}
