import { Button, Table, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { usePaged } from '../../ui/list/use-paged.ts';
import { notifyDone, notifyProblem } from '../../ui/notify.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { Moment } from '../../ui/text/moment.tsx';

const MAIL = {
  waiting: 'The mail is on its way',
  sent: 'Mailed',
  refused: 'The mail server refused this address. Correct it, or send the link yourself.',
};
/** A mail is usually sent within a second. */
const MAIL_POLL_MS = 5_000;
const COLUMNS = ['For', 'Role', 'Until', 'Actions'];

/** The pending invitation links. */
export function PendingInvitations() {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const invitations = usePaged({
    queryKey: queryKeys.invitations(workspaceId),
    fetchPage: (at) => unwrap(api.GET('/invitations', { params: { query: { workspaceId, ...at } } })),
    refreshMs: (items) => items.some(({ mail }) => mail === 'waiting') && MAIL_POLL_MS,
  });
  const revoke = useMutation({
    mutationFn: (id: string) => unwrap(api.DELETE('/invitations/{id}', { params: { path: { id } } })),
    onSuccess: () => notifyDone('The link no longer works.'),
    onError: notifyProblem,
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.invitations(workspaceId) }),
  });
  const ask = (id: string) =>
    confirmDestruction({
      title: 'Revoke the invitation?',
      consequence: 'Its link stops working at once.',
      act: 'Revoke',
      onConfirm: () => revoke.mutate(id),
    });
  if (invitations.isError) return <ProblemAlert error={invitations.error} />;
  if (!invitations.items?.length) return null;
  return (
    <section aria-labelledby="invitations">
      <Title order={2} size="h4" id="invitations" mb="xs">
        Open invitations
      </Title>
      <DataTable columns={COLUMNS} minWidth={560}>
        {invitations.items.map(({ id, email, role, expires_at, mail }) => (
          <Table.Tr key={id}>
            <Table.Td>
              {email ?? 'Anyone with the link'}
              {mail && (
                <Text size="sm" c={mail === 'refused' ? 'red' : 'dimmed'}>
                  {MAIL[mail]}
                </Text>
              )}
            </Table.Td>
            <Table.Td>{role}</Table.Td>
            <Table.Td>
              <Moment at={expires_at} />
            </Table.Td>
            <Table.Td>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Revoke the invitation of ${email ?? 'anyone with the link'}`}
                onClick={() => ask(id)}
              >
                Revoke
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      <LoadMore query={invitations} />
    </section>
  );
}
