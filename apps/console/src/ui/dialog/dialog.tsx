import { Modal, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { uiTexts as t } from '../../texts/ui.ts';
import { notifyNews } from '../notify.tsx';
import { countUnsaved, mayDiscard, useUnsaved } from '../unsaved.ts';
import { useQuestion } from './confirm.tsx';
import { DialogContent } from './dialog-content.tsx';

/** A dialog that asks before it discards input, also when its content closes it by `close`. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  children: ReactNode | ((close: () => void) => ReactNode);
  size?: 'md' | 'lg';
  isUnsaved?: boolean;
  /** Closes only with its button, because closing loses the content. */
  leave?: string;
  /** The input has been sent: a notice tells the result after the dialog is closed. */
  isSent?: boolean;
  /** See useReturnedInput. */
  keepsInput?: boolean;
  /** Stays open while a request is in flight, because only this dialog shows the result. */
  isBusy?: boolean;
}) {
  const {
    title,
    onClose,
    children,
    size = 'md',
    isUnsaved = false,
    isSent = false,
    keepsInput = false,
    leave,
    isBusy = false,
  } = props;
  const [below] = useState(countUnsaved);
  useUnsaved((isUnsaved && !isSent) || isBusy);
  // A confirmation above this dialog handles Escape.
  const closesEasily = useQuestion() === null && leave === undefined && !isBusy;
  const close = async () => {
    if (isSent) notifyNews(keepsInput ? `${t.goesOn} ${t.inputKept}` : t.goesOn);
    else if (!(await mayDiscard(below))) return;
    onClose();
  };
  return (
    <Modal.Root
      opened
      onClose={close}
      size={size}
      closeOnClickOutside={closesEasily}
      closeOnEscape={closesEasily}
    >
      <DialogContent title={title} isBusy={isBusy} {...(leave !== undefined && { closeLabel: leave })}>
        {typeof children === 'function' ? children(close) : children}
        {isBusy && (
          <Text size="sm" mt="sm" role="status">
            {t.secret.wait}
          </Text>
        )}
      </DialogContent>
    </Modal.Root>
  );
}
