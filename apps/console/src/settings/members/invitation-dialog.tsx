import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { Role } from '../../session/session-query.ts';
import { membersTexts as t } from '../../texts/members.ts';
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx';
import { ChangeForm, SubmitButton } from '../../ui/form.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { assignableRoles } from './roles.ts';

/** Creates an invitation link. */
export function InvitationDialog({ onClose }: { onClose: () => void }) {
  const { id: workspaceId, role: mine } = useWorkspace();
  const form = useForm({ initialValues: { email: '', role: 'member' as Role } });
  const invite = useChange({
    mutationFn: ({ email, role }: typeof form.values) =>
      api.post('/invitations', { body: { workspaceId, role: roleOf(role), email: email || null } }),
    changes: [queryKeys.invitations(workspaceId)],
    isAtOnce: true,
  });
  const roles = assignableRoles(mine, form.values.email.trim() === '');
  const roleOf = (wanted: Role) => (roles.some(({ value }) => value === wanted) ? wanted : 'member');
  const url = invite.data?.url;
  return (
    <SecretDialog
      onClose={onClose}
      title={t.invite.title}
      label={t.invite.link}
      note={invite.data?.mail ? t.invite.mailed(invite.data.email ?? '') : t.invite.note}
      secret={url}
      isPending={invite.isPending}
    >
      <ChangeForm form={form} change={invite}>
        <TextInput
          label={t.invite.email}
          description={t.invite.emailHint}
          type="email"
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <NativeSelect
          label={t.invite.role}
          data={roles}
          {...form.getInputProps('role')}
          value={roleOf(form.values.role)}
        />
        <SubmitButton of={invite}>{t.invite.create}</SubmitButton>
      </ChangeForm>
    </SecretDialog>
  );
}
