import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { settingsAccountTexts } from '../../texts/settings-account.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { useChange } from '../../ui/use-change.ts';
import { Setting, SettingFooter } from '../setting.tsx';
import { browserOf } from './browser-of.ts';

/** The user's sessions; each can be ended. */
export function Sessions() {
  const t = settingsAccountTexts.sessions;
  const sessions = useQuery({
    queryKey: queryKeys.sessions,
    changesWith: [],
    queryFn: () => unwrap(api.GET('/auth/sessions')),
  });
  const end = useChange({
    mutationFn: (id: string) => unwrap(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } })),
    changes: [queryKeys.sessions],
    done: t.ended,
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
                  <RowButton
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
                  </RowButton>
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
