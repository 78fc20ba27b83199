import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { useLeaveWorkspace } from '../../session/use-leave-workspace.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { notifyProblem } from '../../ui/notify.tsx';

/** Says that a workspace is a sample, and removes it. */
export default function SampleNotice() {
  const { id } = useWorkspace();
  const leave = useLeaveWorkspace();
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/workspaces/{id}', { params: { path: { id } } })),
    onSuccess: () => leave(id),
    onError: notifyProblem,
  });
  const ask = () =>
    confirmDestruction({
      title: 'Remove the sample workspace?',
      consequence: 'This deletes everything in it. Your other workspaces stay as they are.',
      act: 'Remove',
      onConfirm: () => remove.mutate(),
    });
  return (
    <Alert variant="outline" mb="md" title="This is a sample">
      <Group justify="space-between">
        <Text size="sm">Change what you like: only you are a member.</Text>
        <Button size="xs" variant="default" loading={remove.isPending} onClick={ask}>
          Remove the sample
        </Button>
      </Group>
    </Alert>
  );
}
