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
  /** Closes by its button alone, which says so: what is closed would be lost. */
  leave?: string;
}) {
  const { title, onClose, children, size = 'md', leave } = props;
  const closesEasily = leave === undefined;
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={size}
      closeOnClickOutside={closesEasily}
      closeOnEscape={closesEasily}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" wrap="nowrap" p="md">
          <Modal.Title fw={600} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Modal.Title>
          <Modal.CloseButton aria-label={leave ?? 'Close'} />
        </Group>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
