import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { SecretOnce } from './secret-once.tsx';

/** A dialog that asks for something, and then shows the secret that came of it, once. */
export function SecretDialog(props: {
  title: string;
  onClose: () => void;
  /** What the secret is called, and what to do with it. */
  label: string;
  note: string;
  /** Once there is one. */
  secret: string | undefined;
  /** It is being made. */
  isPending: boolean;
  /** What is asked before. */
  children: ReactNode;
  size?: 'md' | 'lg';
  /** Something is typed that a closing would lose. */
  isUnsaved?: boolean;
}) {
  const { label, note, secret, isPending, children, ...dialog } = props;
  return (
    // A secret is not shown again: no stray key may close it.
    <Dialog {...dialog} isBusy={isPending} {...(secret && { leave: 'Close: it is copied' })}>
      {secret ? <SecretOnce label={label} secret={secret} note={note} onDone={dialog.onClose} /> : children}
    </Dialog>
  );
}
