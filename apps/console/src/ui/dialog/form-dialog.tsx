import type { ComponentProps } from 'react';
import { ChangeForm } from '../form.tsx';
import { Dialog } from './dialog.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

/** A dialog with the form of one change. If it is closed during the request, a notice tells the result. */
export function FormDialog<Values extends object, Data>(
  props: ComponentProps<typeof ChangeForm<Values, Data>> & {
    title: string;
    onClose: () => void;
    /** The button that submits the form. */
    act: string;
    isDanger?: boolean;
    isDisabled?: boolean;
    /** Whether closing would lose input; by default, whether the form has changed. */
    isUnsaved?: boolean;
    change: { isPending: boolean };
  },
) {
  const {
    title,
    onClose,
    onDone = onClose,
    act,
    isDanger = false,
    isDisabled = false,
    isUnsaved,
    children,
    ...form
  } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isUnsaved={isUnsaved ?? form.form.isDirty()}
      isSent={form.change.isPending}
    >
      {(close) => (
        <ChangeForm {...form} onDone={onDone}>
          {children}
          <DialogButtons
            onCancel={close}
            of={form.change}
            disabled={isDisabled}
            {...(isDanger && { color: 'red' })}
          >
            {act}
          </DialogButtons>
        </ChangeForm>
      )}
    </Dialog>
  );
}
