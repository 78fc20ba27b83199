import { Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * A dialog over the page. Mantine's own Modal puts its title into a `header`, which a screen reader takes for the banner of the
 * page: this one does not.
 */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  size?: 'md' | 'lg';
}) {
  const { title, onClose, children, size = 'md' } = props;
  return (
    <Modal.Root opened onClose={onClose} size={size}>
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" wrap="nowrap" p="md">
          <Modal.Title fw={600} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Group>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
