import type { ComponentProps, ReactNode } from 'react';
import { uiTexts as t } from '../../texts/ui.ts';
import { Dialog } from './dialog.tsx';
import { SecretOnce } from './secret-once.tsx';

/** A dialog with a form that then shows the created secret once. */
export function SecretDialog(props: {
  title: string;
  onClose: () => void;
  /** The secret's name, and advice for its use. */
  label: string;
  note: string;
  /** Commands that try out the secret. */
  snippet?: ComponentProps<typeof SecretOnce>['snippet'];
  /** The secret, once created. */
  secret: string | undefined;
  /** Whether it is being created. */
  isPending: boolean;
  /** The form. */
  children: ReactNode;
  size?: 'md' | 'lg';
  /** Whether closing would lose input. */
  isUnsaved?: boolean;
}) {
  const { label, note, secret, isPending, children, snippet, ...dialog } = props;
  return (
    // The secret is not shown again, so Escape must not close the dialog.
    <Dialog {...dialog} isBusy={isPending} {...(secret && { leave: t.secret.leave })}>
      {secret ? (
        <SecretOnce
          label={label}
          secret={secret}
          note={note}
          onDone={dialog.onClose}
          {...(snippet && { snippet })}
        />
      ) : (
        children
      )}
    </Dialog>
  );
}
