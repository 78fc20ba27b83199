import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
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
  /** Aborts the request in flight, whose result only this dialog shows: closing does that first. */
  cancel?: (() => void) | undefined;
}) {
  const { title, onClose, children, size = 'md', isUnsaved = false, leave, cancel } = props;
  const [below] = useState(countUnsaved);
  useUnsaved(isUnsaved || cancel !== undefined);
  // A confirmation above this dialog handles Escape.
  const closesEasily = useQuestion() === null && leave === undefined && cancel === undefined;
  const close = cancel ?? (() => void mayDiscard(below).then((may) => may && onClose()));
  return (
    <Modal.Root
      opened
      onClose={close}
      size={size}
      closeOnClickOutside={closesEasily}
      closeOnEscape={closesEasily}
    >
      <DialogContent title={title} {...(leave !== undefined && { closeLabel: leave })}>
        {typeof children === 'function' ? children(close) : children}
      </DialogContent>
    </Modal.Root>
  );
}
