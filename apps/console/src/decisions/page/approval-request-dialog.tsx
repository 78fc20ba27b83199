import { Checkbox, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useApprovers } from '../../workspace/people.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';

/** Asks members to approve a decision. */
export default function ApprovalRequestDialog(props: {
  id: string;
  rule: Schemas['ApprovalRule'] | null;
  onClose: () => void;
}) {
  const t = decisionPageTexts.approvals;
  const { id, rule, onClose } = props;
  const { id: workspaceId } = useWorkspace();
  const { data: able = [], isPending, isLoadingError, error, refetch } = useApprovers();
  const form = useForm({ initialValues: { members: rule?.members ?? [] } });
  const ask = useChange({
    mutationFn: ({ members }: { members: string[] }) => {
      // The rule can name a former member, or one who is a viewer by now.
      const body = { members: members.filter((member) => able.some((one) => one.id === member)) };
      return api.post('/decisions/{id}/approval-requests', { id, workspaceId, body });
    },
    changes: [queryKeys.decisions(workspaceId)],
    done: t.isAsked,
    isAtOnce: true,
  });
  // The dialog gives its focus once, to its first field.
  if (isPending) return null;
  if (isLoadingError)
    return (
      <Dialog title={t.ask} onClose={onClose}>
        <ProblemAlert error={error} retry={() => void refetch()} />
      </Dialog>
    );
  return (
    <FormDialog title={t.ask} onClose={onClose} form={form} change={ask} keepsInput act={t.ask}>
      <Checkbox.Group label={t.askWhom} {...form.getInputProps('members')}>
        <Stack gap="xs" mt="xs" mah={320} style={{ overflowY: 'auto' }}>
          {able.map(({ id: userId, name }) => (
            <Checkbox key={userId} value={userId} label={name} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
