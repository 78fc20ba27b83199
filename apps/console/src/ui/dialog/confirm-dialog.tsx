import { Button, Group, Modal, Text } from '@mantine/core';
import { uiTexts as t } from '../../texts/ui.ts';
import type { Question } from './confirm.tsx';
import { DialogContent } from './dialog-content.tsx';

/** Shown above everything, including other dialogs. */
export default function ConfirmDialog(props: {
  question: Question;
  onStay: () => void;
  onConfirm: () => void;
  onAlternative: () => void;
}) {
  const { question, onStay, onConfirm, onAlternative } = props;
  return (
    <Modal.Root opened onClose={onStay}>
      <DialogContent title={question.title}>
        <Text size="sm">{question.consequence}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onStay}>
            {question.stay ?? t.cancel}
          </Button>
          {question.alternative && (
            <Button color="red" variant="outline" onClick={onAlternative}>
              {question.alternative.act}
            </Button>
          )}
          <Button color="red" onClick={onConfirm}>
            {question.act}
          </Button>
        </Group>
      </DialogContent>
    </Modal.Root>
  );
}
