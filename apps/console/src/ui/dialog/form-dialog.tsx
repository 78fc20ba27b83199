import type { ComponentProps } from 'react';
import { ChangeForm } from '../form.tsx';
import { Dialog } from './dialog.tsx';
import { DialogButtons } from './dialog-buttons.tsx';
import { useReturnedInput } from './use-returned-input.ts';

/** A dialog with the form of one change. If it is closed during the request, a notice tells the result. */
export function FormDialog<Values extends object, Data>(
  props: ComponentProps<typeof ChangeForm<Values, Data>> & {
    title: string;
    /** The id of the record, where the page has several. */
    about?: string | undefined;
    onClose: () => void;
    /** The button that submits the form. */
    act: string;
    isDanger?: boolean;
    isDisabled?: boolean;
    /** Whether closing would lose input; by default, whether the form has changed. */
    isUnsaved?: boolean;
    /** Whether it has its input again after a refusal. Not with a password or a secret. */
    keepsInput?: boolean;
    change: { isPending: boolean };
  },
) {
  const {
    title,
    about = '',
    onClose,
    onDone = onClose,
    act,
    isDanger = false,
    isDisabled = false,
    isUnsaved,
    keepsInput = false,
    children,
    change,
    ...form
  } = props;
  const keep = useReturnedInput(`${title} ${about}`, form.form);
  const mutate: typeof change.mutate = (values, then) => {
    change.mutate(values, then);
    if (keepsInput) keep();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isUnsaved={isUnsaved ?? form.form.isDirty()}
      isSent={change.isPending}
      keepsInput={keepsInput}
    >
      {(close) => (
        <ChangeForm {...form} change={{ error: change.error, mutate }} onDone={onDone}>
          {children}
          <DialogButtons
            onCancel={close}
            of={change}
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
