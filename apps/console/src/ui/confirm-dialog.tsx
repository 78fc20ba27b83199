import { Button, Group, Text } from '@mantine/core';
import type { Question } from './confirm.tsx';
import { Dialog } from './dialog.tsx';

export default function ConfirmDialog({ question, onClose }: { question: Question; onClose: () => void }) {
  function confirm() {
    onClose();
    question.onConfirm();
  }
  return (
    <Dialog onClose={onClose} title={question.title}>
      <Text size="sm">{question.consequence}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={confirm}>
          {question.act}
        </Button>
      </Group>
    </Dialog>
  );
}
