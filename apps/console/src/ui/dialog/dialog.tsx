import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { countUnsaved, mayDiscard, useUnsaved } from '../unsaved.ts';
import { useQuestion } from './confirm.tsx';
import { DialogContent } from './dialog-content.tsx';

/** A dialog over the page; before it closes on what was typed in it, it asks. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  size?: 'md' | 'lg';
  isUnsaved?: boolean;
  /** Closes by its button alone, which says so: what is closed would be lost. */
  leave?: string;
  /** What comes of a request under way is shown here alone: until then it stays open. */
  isBusy?: boolean;
}) {
  const { title, onClose, children, size = 'md', isUnsaved = false, leave, isBusy = false } = props;
  const [below] = useState(countUnsaved);
  useUnsaved(isUnsaved || isBusy);
  // A question over this dialog takes Escape for itself.
  const closesEasily = useQuestion() === null && leave === undefined && !isBusy;
  return (
    <Modal.Root
      opened
      onClose={() => void mayDiscard(below).then((may) => may && onClose())}
      size={size}
      closeOnClickOutside={closesEasily}
      closeOnEscape={closesEasily}
    >
      <DialogContent title={title} isBusy={isBusy} {...(leave !== undefined && { closeLabel: leave })}>
        {children}
      </DialogContent>
    </Modal.Root>
  );
}
