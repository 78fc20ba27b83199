import { Checkbox, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, type Schemas, unwrap } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useMembers } from '../../workspace/people.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';

/** Asks members to approve a decision. A user who may not see the members asks the ones in the rule. */
export default function ApprovalRequestDialog(props: {
  id: string;
  rule: Schemas['ApprovalRule'] | null;
  onClose: () => void;
}) {
  const t = decisionPageTexts.approvals;
  const { id, rule, onClose } = props;
  const { id: workspaceId } = useWorkspace();
  const { members, isLoading } = useMembers();
  const able = members.filter(({ role }) => role !== 'viewer');
  const form = useForm({ initialValues: { members: rule?.members ?? [] } });
  const ask = useChange({
    mutationFn: ({ members }: { members: string[] }) => {
      const params = { path: { id }, query: { workspaceId } };
      const body = able.length > 0 ? { members } : {};
      return unwrap(api.POST('/decisions/{id}/approval-requests', { params, body }));
    },
    changes: [queryKeys.decisions(workspaceId)],
    done: t.isAsked,
    onSuccess: onClose,
  });
  // The dialog gives its focus once, to its first field.
  if (isLoading) return null;
  return (
    <Dialog title={t.ask} onClose={onClose}>
      <Form onSubmit={form.onSubmit((values) => ask.mutate(values))} error={ask.error} form={form}>
        {able.length > 0 && (
          <Checkbox.Group label={t.askWhom} {...form.getInputProps('members')}>
            <Stack gap="xs" mt="xs" mah={320} style={{ overflowY: 'auto' }}>
              {able.map(({ user_id, name }) => (
                <Checkbox key={user_id} value={user_id} label={name} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <SubmitButton of={ask}>{t.ask}</SubmitButton>
      </Form>
    </Dialog>
  );
}
