import { Button, Group } from '@mantine/core';
import type { ComponentProps } from 'react';
import { uiTexts as t } from '../../texts/ui.ts';
import { SubmitButton } from '../form.tsx';

/** The last line of a dialog's form: a button that closes the dialog, if it may, and the one that submits. */
export function DialogButtons(
  props: { onCancel: (() => void) | undefined } & ComponentProps<typeof SubmitButton>,
) {
  const { onCancel, ...submit } = props;
  return (
    <Group justify="flex-end">
      <Button variant="default" disabled={!onCancel} onClick={onCancel}>
        {submit.of.isPending ? t.close : t.cancel}
      </Button>
      <SubmitButton {...submit} />
    </Group>
  );
}
