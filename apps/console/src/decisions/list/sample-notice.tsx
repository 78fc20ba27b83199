import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { firstStepsTexts as t } from '../../texts/first-steps.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { useLeaveWorkspace } from '../../workspace/use-leave-workspace.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';

/** Says that a workspace is a sample, and removes it. */
export default function SampleNotice() {
  const { id } = useWorkspace();
  const leave = useLeaveWorkspace();
  const remove = useMutation({
    mutationFn: () => api.delete('/workspaces/{id}', { id }),
    onSuccess: () => leave(id),
  });
  const ask = () =>
    confirmDestruction({
      title: t.sample.removeTitle,
      consequence: t.sample.removeConsequence,
      act: ui.remove,
      onConfirm: () => remove.mutate(),
    });
  return (
    <Alert variant="outline" mb="md" title={t.sample.title}>
      <Group justify="space-between">
        <Text size="sm">{t.sample.hint}</Text>
        <Button size="xs" variant="default" loading={remove.isPending} onClick={ask}>
          {t.sample.remove}
        </Button>
      </Group>
    </Alert>
  );
}
