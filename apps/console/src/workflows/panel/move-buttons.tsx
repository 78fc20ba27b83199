import { ActionIcon, Group, Text } from '@mantine/core';
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide-react';

const STEP = 40;
const WAYS = [
  { label: 'Move left', icon: ArrowLeft, dx: -STEP, dy: 0 },
  { label: 'Move up', icon: ArrowUp, dx: 0, dy: -STEP },
  { label: 'Move down', icon: ArrowDown, dx: 0, dy: STEP },
  { label: 'Move right', icon: ArrowRight, dx: STEP, dy: 0 },
];

/** Buttons that move a node, for users who cannot drag. */
export function MoveButtons({ onMove }: { onMove: (dx: number, dy: number) => void }) {
  return (
    <Group gap="xs">
      <Text size="sm">Move</Text>
      {WAYS.map(({ label, icon: Icon, dx, dy }) => (
        <ActionIcon key={label} variant="default" aria-label={label} onClick={() => onMove(dx, dy)}>
          <Icon size={16} />
        </ActionIcon>
      ))}
    </Group>
  );
}
