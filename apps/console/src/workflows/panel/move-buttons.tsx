import { ActionIcon, Group, Text } from '@mantine/core';
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide-react';
import { nodePanelTexts as t } from '../../texts/node-panel.ts';

const STEP = 40;
const WAYS = [
  { way: 'left', icon: ArrowLeft, dx: -STEP, dy: 0 },
  { way: 'up', icon: ArrowUp, dx: 0, dy: -STEP },
  { way: 'down', icon: ArrowDown, dx: 0, dy: STEP },
  { way: 'right', icon: ArrowRight, dx: STEP, dy: 0 },
] as const;

/** Buttons that move a node, for users who cannot drag. */
export function MoveButtons({ onMove }: { onMove: (dx: number, dy: number) => void }) {
  return (
    <Group gap="xs">
      <Text size="sm">{t.move.title}</Text>
      {/* The canvas is not mirrored, so the arrows are not either. */}
      <Group gap="xs" dir="ltr">
        {WAYS.map(({ way, icon: Icon, dx, dy }) => (
          <ActionIcon key={way} variant="default" aria-label={t.move[way]} onClick={() => onMove(dx, dy)}>
            <Icon size={16} />
          </ActionIcon>
        ))}
      </Group>
    </Group>
  );
}
