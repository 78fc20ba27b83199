import { Button, Group } from '@mantine/core';
import type { ComponentProps } from 'react';
import { uiTexts as t } from '../../texts/ui.ts';
import { SubmitButton } from '../form.tsx';

/** The last line of a dialog's form: a button that closes the dialog, and the one that submits. */
export function DialogButtons(props: { onCancel: () => void } & ComponentProps<typeof SubmitButton>) {
  const { onCancel, ...submit } = props;
  return (
    <Group justify="flex-end">
      <Button variant="default" disabled={submit.of.isPending} onClick={onCancel}>
        {t.cancel}
      </Button>
      <SubmitButton {...submit} />
    </Group>
  );
}
