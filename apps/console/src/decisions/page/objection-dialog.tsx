import { Button, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { notifyDone } from '../../ui/notify.tsx';

/** Objects to the text of a decision, with a reason. */
export default function ObjectionDialog(props: { id: string; contentSha256: string; onClose: () => void }) {
  const t = decisionPageTexts.approvals;
  const { id, contentSha256, onClose } = props;
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { reason: '' } });
  const object = useMutation({
    mutationFn: ({ reason }: { reason: string }) => {
      const params = { path: { id }, query: { workspaceId } };
      const body = { verdict: 'object' as const, contentSha256, reason };
      return unwrap(api.POST('/decisions/{id}/approvals', { params, body }));
    },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.decisions(workspaceId) });
      notifyDone(t.given);
      onClose();
    },
  });
  return (
    <Dialog title={t.objection} onClose={onClose} isUnsaved={form.isDirty()}>
      <Form
        onSubmit={form.onSubmit((values) => object.mutate(values))}
        error={object.error}
        titles={{ CONFLICT: t.stale }}
        form={form}
      >
        <Textarea label={t.reason} required autosize minRows={3} {...form.getInputProps('reason')} />
        <Button type="submit" loading={object.isPending}>
          {t.give.object}
        </Button>
      </Form>
    </Dialog>
  );
}
