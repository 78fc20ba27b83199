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
  /** What is asked before. */
  children: ReactNode;
  size?: 'md' | 'lg';
}) {
  const { label, note, secret, children, ...dialog } = props;
  return (
    <Dialog {...dialog}>
      {secret ? <SecretOnce label={label} secret={secret} note={note} onDone={dialog.onClose} /> : children}
    </Dialog>
  );
}
