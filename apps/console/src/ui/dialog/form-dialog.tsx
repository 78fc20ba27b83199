import type { ComponentProps } from 'react';
import { ChangeForm } from '../form.tsx';
import { Dialog } from './dialog.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

/** A dialog with the form of one change. The caller closes it when the change has succeeded. */
export function FormDialog<Values extends object>(
  props: ComponentProps<typeof ChangeForm<Values>> & {
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
  const { title, onClose, act, isDanger = false, isDisabled = false, isUnsaved, children, ...form } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isUnsaved={isUnsaved ?? form.form.isDirty()}
      isBusy={form.change.isPending}
    >
      {(close) => (
        <ChangeForm {...form}>
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
