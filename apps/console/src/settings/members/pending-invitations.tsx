import { Text } from '@mantine/core';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { sentence } from '../../texts/format.ts';
import { membersTexts } from '../../texts/members.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { usePaged } from '../../ui/list/use-paged.ts';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { Section } from '../../ui/text/section.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';

/** A mail is usually sent within a second. */
const MAIL_POLL_MS = 5_000;

/** The pending invitation links. */
export function PendingInvitations() {
  const t = membersTexts.invitations;
  const { id: workspaceId } = useWorkspace();
  const invitations = usePaged({
    queryKey: queryKeys.invitations(workspaceId),
    changesWith: ['workspace.*', 'invitation.*'],
    fetchPage: (at) => api.get('/invitations', { workspaceId, ...at }),
    refreshMs: (items) => items.some(({ mail }) => mail === 'waiting') && MAIL_POLL_MS,
  });
  const revoke = useChange({
    mutationFn: (id: string) => api.delete('/invitations/{id}', { id }),
    changes: [queryKeys.invitations(workspaceId)],
    done: t.revoked,
  });
  const ask = (id: string) =>
    confirmDestruction({
      title: t.askRevoke,
      consequence: t.consequence,
      act: t.revoke,
      onConfirm: () => revoke.mutate(id),
    });
  if (invitations.isError) return <ProblemAlert error={invitations.error} />;
  if (!invitations.items?.length) return null;
  return (
    <Section title={t.title}>
      <DataTable columns={t.columns} minWidth={560}>
        {invitations.items.map(({ id, email, role, expires_at, mail }) => (
          <tr key={id}>
            <td>
              {email ?? t.anyone}
              {mail && (
                <Text size="sm" c={mail === 'refused' ? 'red' : 'dimmed'}>
                  {t.mail[mail]}
                </Text>
              )}
            </td>
            <td>{sentence(words.role[role])}</td>
            <td>
              <Moment at={expires_at} />
            </td>
            <td>
              <RowButton
                aria-label={email === null ? t.revokeOfAnyone : t.revokeOf(email)}
                onClick={() => ask(id)}
              >
                {t.revoke}
              </RowButton>
            </td>
          </tr>
        ))}
      </DataTable>
      <LoadMore query={invitations} />
    </Section>
  );
}
