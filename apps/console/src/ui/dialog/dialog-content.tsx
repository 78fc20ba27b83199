import { Box, Modal } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { uiTexts as t } from '../../texts/ui.ts';

/**
 * The content of a dialog. The button that closes it comes last, so that the first field has the focus, or
 * the first button, which is the safest. Mantine's header would be announced as the page's banner.
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
        <Box pos="relative">
          <Modal.Title fw={600} p="md" pe="2xl">
            {title}
          </Modal.Title>
          <Modal.Body>{children}</Modal.Body>
          <Modal.CloseButton
            aria-label={closeLabel}
            disabled={isBusy}
            pos="absolute"
            style={{
              insetBlockStart: 'var(--mantine-spacing-sm)',
              insetInlineEnd: 'var(--mantine-spacing-md)',
            }}
          />
        </Box>
      </Modal.Content>
    </>
  );
}

/**
 * Restores the focus to the element that had it before the component mounted, unless it has moved. Mantine
 * does so only for dialogs that stay mounted while closed.
 */
function useFocusReturned(): void {
  const [before] = useState(() => document.activeElement);
  // Not a passive effect, which a busy page may run after keepFocus has moved the focus to the heading.
  useLayoutEffect(
    () => () => {
      // The focused element has been removed by then.
      queueMicrotask(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) {
          before.focus({ preventScroll: true });
        }
      });
    },
    [before],
  );
}
