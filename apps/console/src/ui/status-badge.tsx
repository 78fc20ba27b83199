import { Badge, ColorSwatch } from '@mantine/core';

/** A state as text and colour. */
export function StatusBadge({ color, children }: { color: string; children: string }) {
  return (
    <Badge
      variant="default"
      miw="max-content"
      leftSection={<ColorSwatch size={8} color={`var(--mantine-color-${color}-6)`} withShadow={false} />}
    >
      {children}
    </Badge>
  );
}
