import { Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { uiTexts as t } from '../../texts/ui.ts';
import { useFocusReturned } from '../use-focus-returned.ts';

/**
 * The content of a dialog. Mantine's Modal puts its title into a `header`, which screen readers announce as
 * the page's banner; this one does not.
 */
export function DialogContent(props: {
  title: string;
  children: ReactNode;
  closeLabel?: string;
  isBusy?: boolean;
}) {
  const { title, children, closeLabel = t.close, isBusy = false } = props;
  useFocusReturned();
  return (
    <>
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" wrap="nowrap" p="md">
          <Modal.Title fw={600}>{title}</Modal.Title>
          <Modal.CloseButton aria-label={closeLabel} disabled={isBusy} />
        </Group>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </>
  );
}
