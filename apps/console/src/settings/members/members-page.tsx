import { Box, Button, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { UserPlus } from 'lucide-react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { type Role, sessionQuery } from '../../session/session-query.ts';
import { useLeaveWorkspace } from '../../session/use-leave-workspace.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { usePaged } from '../../ui/list/use-paged.ts';
import { notifyDone, notifyProblem } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { useNewDialog } from '../../ui/use-new-dialog.ts';
import { InvitationDialog } from './invitation-dialog.tsx';
import { PendingInvitations } from './pending-invitations.tsx';
import { assignableRoles } from './roles.ts';

type Member = Schemas['Member'];

const COLUMNS = ['Name', 'Role', 'Since', 'Actions'];

export function MembersPage() {
  const { id: workspaceId } = useWorkspace();
  const [isInviting, setInviting] = useNewDialog();
  const members = usePaged({
    queryKey: queryKeys.members(workspaceId),
    fetchPage: (at) => unwrap(api.GET('/members', { params: { query: { workspaceId, ...at } } })),
  });
  return (
    <Page
      title="Members"
      actions={
        <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
          Invite by link
        </Button>
      }
    >
      <Stack gap="xl">
        <div>
          <PagedList query={members} empty={null}>
            {(items) => (
              <DataTable columns={COLUMNS} minWidth={560}>
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

/** The names of the keys that a user created and that still work. */
async function activeKeysOf(workspaceId: string, userId: string): Promise<string[]> {
  const query = { workspaceId, limit: 500 };
  const { data } = await api.GET('/api-keys', { params: { query } });
  const now = new Date().toISOString();
  return (data?.data ?? [])
    .filter(
      (key) =>
        key.created_by === userId && key.revoked_at === null && !(key.expires_at && key.expires_at < now),
    )
    .map((key) => key.name);
}

function MemberRow({ member }: { member: Member }) {
  const { id: workspaceId, role: mine, name: workspaceName } = useWorkspace();
  const { data: signedIn } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const leave = useLeaveWorkspace();
  const isMe = member.user_id === signedIn.user.id;
  const isAbove = member.role === 'owner' && mine !== 'owner';
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeys.members(workspaceId) });
  const path = { params: { path: { id: member.id } } };

  const changeRole = useMutation({
    mutationFn: (role: Role) => unwrap(api.PATCH('/members/{id}', { ...path, body: { role } })),
    onSuccess: ({ role }) => {
      notifyDone(`${member.name} is ${role} now.`);
      if (isMe) void queryClient.invalidateQueries({ queryKey: queryKeys.session });
    },
    onError: notifyProblem,
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (keys: 'revoke' | 'keep') =>
      unwrap(api.DELETE('/members/{id}', { params: { ...path.params, query: { keys } } })),
    onSuccess: () => {
      if (!isMe) {
        notifyDone(`${member.name} is no longer a member.`);
        return refresh();
      }
      return leave(workspaceId);
    },
    onError: notifyProblem,
  });
  const askRole = (role: Role) =>
    confirmDestruction({
      title: isMe ? `Become ${role}?` : `Make ${member.name} ${role}?`,
      consequence: isMe
        ? `You are ${member.role} now, and cannot restore your role yourself.`
        : `${member.name} is ${member.role} now. The new role applies at once.`,
      act: 'Change role',
      onConfirm: () => changeRole.mutate(role),
    });
  async function askRemoval() {
    const keys = await activeKeysOf(workspaceId, member.user_id);
    const lose = `${isMe ? 'You lose' : `${member.name} loses`} access at once.`;
    const revoked = `The API keys created by ${isMe ? 'you' : member.name} are revoked: ${keys.join(', ')}.`;
    confirmDestruction({
      title: isMe ? `Leave ${workspaceName}?` : `Remove ${member.name}?`,
      consequence: keys.length > 0 ? `${lose} ${revoked}` : lose,
      act: isMe ? 'Leave' : 'Remove',
      onConfirm: () => remove.mutate('revoke'),
      ...(keys.length > 0 &&
        !isMe && { alternative: { act: 'Remove and keep keys', onConfirm: () => remove.mutate('keep') } }),
    });
  }

  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <Avatar name={member.name} />
          <Box miw={0}>
            <Text size="sm" fw={600}>
              {member.name}
              {isMe && ' (you)'}
            </Text>
            <Text size="sm" c="dimmed">
              {member.email}
            </Text>
            {member.mail_refused_at && (
              <Text size="sm" c="red">
                The mail server refused this address.
              </Text>
            )}
          </Box>
        </Group>
      </Table.Td>
      <Table.Td>
        {isAbove ? (
          'Owner'
        ) : (
          <NativeSelect
            miw={240}
            aria-label={`Role of ${member.name}`}
            data={assignableRoles(mine)}
            value={member.role}
            disabled={changeRole.isPending}
            onChange={(event) => askRole(event.currentTarget.value as Role)}
          />
        )}
      </Table.Td>
      <Table.Td>
        <Moment at={member.created_at} />
      </Table.Td>
      <Table.Td>
        {!isAbove && (
          <Button
            size="compact-sm"
            variant="default"
            loading={remove.isPending}
            onClick={askRemoval}
            aria-label={isMe ? 'Leave this workspace' : `Remove ${member.name}`}
          >
            {isMe ? 'Leave' : 'Remove'}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
