import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { limits } from '@waymark/client/facts';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { workflowsTexts as t } from '../texts/workflows.ts';
import { FormDialog } from '../ui/dialog/form-dialog.tsx';
import { useChange } from '../ui/use-change.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import type { WorkflowRecord } from './graph/graph.ts';

/** Creates and opens a workflow, or renames one. */
export function WorkflowDialog(props: { workflow: WorkflowRecord | null; onClose: () => void }) {
  const { workflow, onClose } = props;
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: {
      title: workflow?.title ?? '',
      description: workflow?.description ?? '',
      acyclic: workflow?.acyclic ?? false,
    },
  });
  const save = useChange({
    mutationFn: (values: { title: string; description: string; acyclic: boolean }) =>
      workflow
        ? api.patch('/workflows/{id}', { id: workflow.id, body: values })
        : api.post('/workflows', { body: { workspaceId, ...values } }),
    changes: [queryKeys.workflows(workspaceId)],
    isAtOnce: true,
    done: ({ title }) => (workflow ? t.form.changed(title) : t.form.created(title)),
  });
  const open = ({ id }: WorkflowRecord) =>
    navigate({
      to: '/w/$workspaceId/workflows/$workflowId',
      params: { workspaceId, workflowId: id },
      ignoreBlocker: true,
    });
  return (
    <FormDialog
      title={workflow ? t.form.change : t.add}
      about={workflow?.id}
      onClose={onClose}
      form={form}
      change={save}
      onDone={workflow ? onClose : open}
      keepsInput
      act={workflow ? ui.save : t.form.create}
    >
      <TextInput
        label={t.columns.title}
        required
        maxLength={limits.titleCharacters}
        {...form.getInputProps('title')}
      />
      <Textarea
        label={t.form.description}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('description')}
      />
      <Checkbox
        label={t.acyclic}
        description={t.form.acyclicHint}
        {...form.getInputProps('acyclic', { type: 'checkbox' })}
      />
    </FormDialog>
  );
}
