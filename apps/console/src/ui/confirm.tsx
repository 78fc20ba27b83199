import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

/** Asks before an act that cannot be undone; `consequence` says what will be lost. */
export function confirmDestruction(options: {
  title: string;
  consequence: string;
  act: string;
  onConfirm: () => void;
}): void {
  modals.openConfirmModal({
    title: options.title,
    children: <Text size="sm">{options.consequence}</Text>,
    labels: { confirm: options.act, cancel: 'Cancel' },
    confirmProps: { color: 'red' },
    onConfirm: options.onConfirm,
  });
}
