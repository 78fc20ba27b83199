import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { settingsAccountTexts } from '../../texts/settings-account.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { Setting, SettingFooter } from '../setting.tsx';
import { browserOf } from './browser-of.ts';

/** The user's sessions; each can be ended. */
export function Sessions() {
  const t = settingsAccountTexts.sessions;
  const queryClient = useQueryClient();
  const sessions = useQuery({
    queryKey: queryKeys.sessions,
    changesWith: [],
    queryFn: () => unwrap(api.GET('/auth/sessions')),
  });
  const end = useMutation({
    mutationFn: (id: string) => unwrap(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } })),
    onSuccess: () => notifyDone(t.ended),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
  return (
    <Setting id="sessions" title={t.title}>
      <QueryState query={sessions} />
      {sessions.data && (
        <DataTable columns={t.columns} minWidth={620}>
          {sessions.data.data.map((session) => (
            <tr key={session.id}>
              <td>
                <Text size="sm" lineClamp={2} title={session.user_agent ?? undefined}>
                  {browserOf(session.user_agent)}
                </Text>
              </td>
              <td>{session.ip ?? t.unknownAddress}</td>
              <td>
                <Moment at={session.last_seen_at} />
              </td>
              <td>
                {session.current ? (
                  t.current
                ) : (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t.endOf(browserOf(session.user_agent))}
                    onClick={() =>
                      confirmDestruction({
                        title: t.askEnd(browserOf(session.user_agent)),
                        consequence: t.endHint,
                        act: t.end,
                        onConfirm: () => end.mutate(session.id),
                      })
                    }
                  >
                    {t.end}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <SettingFooter hint={t.hint} />
    </Setting>
  );
}
