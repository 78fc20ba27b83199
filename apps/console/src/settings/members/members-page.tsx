import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { UserPlus } from 'lucide-react';
import { api, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { type Role, sessionQuery } from '../../session/session-query.ts';
import { list } from '../../texts/format.ts';
import { membersTexts as t } from '../../texts/members.ts';
import { settingsTexts as settings } from '../../texts/settings.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { MoreAction, MoreMenu } from '../../ui/dialog/more-menu.tsx';
import { useNewDialog } from '../../ui/dialog/use-new-dialog.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { usePaged } from '../../ui/list/use-paged.ts';
import { Page } from '../../ui/page.tsx';
import { Hint } from '../../ui/text/hint.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useLeaveWorkspace } from '../../workspace/use-leave-workspace.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { RoleSelect } from '../role-select.tsx';
import { InvitationDialog } from './invitation-dialog.tsx';
import { PendingInvitations } from './pending-invitations.tsx';
import { assignableRoles } from './roles.ts';

type Member = Schemas['Member'];

export function MembersPage() {
  const { id: workspaceId } = useWorkspace();
  const [isInviting, setInviting] = useNewDialog();
  const members = usePaged({
    queryKey: queryKeys.members(workspaceId),
    changesWith: ['workspace.*', 'invitation.*'],
    fetchPage: (at) => api.get('/members', { workspaceId, ...at }),
  });
  return (
    <Page
      title={settings.members}
      actions={
        <Button leftSection={<UserPlus size={16} />} onClick={() => setInviting(true)}>
          {t.invite.title}
        </Button>
      }
    >
      <Stack gap="xl">
        <div>
          <PagedList query={members} empty={null}>
            {(items) => (
              <DataTable columns={t.columns} minWidth={560}>
                {items.map((member) => (
                  <MemberRow key={member.id} member={member} />
                ))}
              </DataTable>
            )}
          </PagedList>
        </div>
        <PendingInvitations />
      </Stack>
      {isInviting && <InvitationDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}

/** The names of the keys that end with a user: the keys that the user created for no service account. */
async function activeKeysOf(workspaceId: string, userId: string): Promise<string[]> {
  const query = { workspaceId, limit: limits.pageSizeMax };
  const now = new Date().toISOString();
  const keys = await api.get('/api-keys', query);
  return keys.data
    .filter(
      (key) =>
        key.created_by === userId &&
        key.service_account_id === null &&
        key.revoked_at === null &&
        !(key.expires_at && key.expires_at < now),
    )
    .map((key) => key.name);
}

function MemberRow({ member }: { member: Member }) {
  const { id: workspaceId, role: mine, name: workspaceName, has } = useWorkspace();
  const { data: signedIn } = useSuspenseQuery(sessionQuery);
  const leave = useLeaveWorkspace();
  const isMe = member.user_id === signedIn.user.id;
  const isAbove = member.role === 'owner' && mine !== 'owner';

  const changeRole = useChange({
    mutationFn: (role: Role) => api.patch('/members/{id}', { id: member.id, body: { role } }),
    changes: [queryKeys.members(workspaceId), ...(isMe ? [queryKeys.session] : [])],
    done: ({ role }) => t.role.done(member.name, words.role[role]),
  });
  const remove = useChange({
    mutationFn: (keys: 'revoke' | 'keep') => api.delete('/members/{id}', { id: member.id, keys }),
    changes: isMe ? [] : [queryKeys.members(workspaceId)],
    ...(isMe ? { onSuccess: () => leave(workspaceId) } : { done: t.remove.done(member.name) }),
  });
  const askRole = (role: Role) =>
    confirmDestruction({
      title: isMe ? t.role.askMine(words.role[role]) : t.role.ask(member.name, words.role[role]),
      consequence: isMe
        ? t.role.consequenceMine(words.role[member.role])
        : t.role.consequence(member.name, words.role[member.role]),
      act: t.role.change,
      onConfirm: () => changeRole.mutate(role),
    });
  const readKeys = useMutation({
    mutationFn: async () => (has('api_keys') ? activeKeysOf(workspaceId, member.user_id) : []),
    onSuccess: askRemoval,
  });
  function askRemoval(keys: string[]) {
    const lose = isMe ? t.leave.consequence : t.remove.consequence(member.name);
    const names = list(keys);
    const revoked = isMe ? t.leave.keys(names) : t.remove.keys(member.name, names);
    confirmDestruction({
      title: isMe ? t.leave.ask(workspaceName) : t.remove.ask(member.name),
      consequence: keys.length > 0 ? `${lose} ${revoked}` : lose,
      act: isMe ? t.leave.act : ui.remove,
      onConfirm: () => remove.mutate('revoke'),
      ...(keys.length > 0 &&
        !isMe && { alternative: { act: t.remove.andKeepKeys, onConfirm: () => remove.mutate('keep') } }),
    });
  }

  return (
    <tr>
      <td>
        <Group gap="sm" wrap="nowrap">
          <Avatar name={member.name} />
          <Box miw={0}>
            <Text size="sm" fw={600}>
              {isMe ? t.me(member.name) : member.name}
            </Text>
            <Hint>{member.email}</Hint>
            {member.mail_refused_at && (
              <Text size="sm" c="red">
                {t.mailRefused}
              </Text>
            )}
          </Box>
        </Group>
      </td>
      <td>
        {isAbove ? (
          t.owner
        ) : (
          <RoleSelect
            label={t.role.of(member.name)}
            roles={assignableRoles(mine)}
            role={member.role}
            isChanging={changeRole.isPending}
            choose={askRole}
          />
        )}
      </td>
      <td>
        <Moment at={member.created_at} />
      </td>
      <td>
        {!isAbove && (
          <MoreMenu of={member.name} isBusy={readKeys.isPending || remove.isPending}>
            <MoreAction isDanger onClick={() => readKeys.mutate()}>
              {isMe ? t.leave.act : ui.remove}
            </MoreAction>
          </MoreMenu>
        )}
      </td>
    </tr>
  );
}
