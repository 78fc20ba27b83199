import { Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { sessionQuery } from '../../session/session-query.ts';
import { authorizeTexts } from '../../texts/authorize.ts';
import { settingsAccountTexts } from '../../texts/settings-account.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { useChange } from '../../ui/use-change.ts';
import { Setting, SettingFooter } from '../setting.tsx';
import { accountQuery } from './account-query.ts';
import { browserOf } from './browser-of.ts';

type Texts = typeof settingsAccountTexts;
type EndTexts = Pick<Texts['sessions'], 'end' | 'endOf' | 'askEnd' | 'endHint'>;

/** The user's sessions; each can be ended. */
export function Sessions() {
  const t = settingsAccountTexts.sessions;
  const endSession = useChange({
    mutationFn: (id: string) => api.delete('/auth/sessions/{id}', { id }),
    changes: [queryKeys.account],
    done: t.ended,
  });
  return (
    <Setting id="sessions" title={t.title}>
      <QueryState query={useQuery(accountQuery)}>
        {({ sessions }) => (
          <DataTable columns={t.columns} minWidth={620}>
            {sessions.map((session) => (
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
                    <End
                      t={t}
                      name={browserOf(session.user_agent)}
                      act={() => endSession.mutate(session.id)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </DataTable>
        )}
      </QueryState>
      <SettingFooter hint={t.hint} />
    </Setting>
  );
}

/** The button that ends a session or the access of a program, after a question. */
function End({ t, name, act }: { t: EndTexts; name: string; act: () => void }) {
  const question = { title: t.askEnd(name), consequence: t.endHint, act: t.end, onConfirm: act };
  return (
    <RowButton aria-label={t.endOf(name)} onClick={() => confirmDestruction(question)}>
      {t.end}
    </RowButton>
  );
}

/** The programs that the user has given access; each can be disconnected. */
export function Grants() {
  const t = settingsAccountTexts.grants;
  const { data: session } = useSuspenseQuery(sessionQuery);
  const endGrant = useChange({
    mutationFn: (id: string) => api.delete('/auth/grants/{id}', { id }),
    changes: [queryKeys.account],
    done: t.ended,
  });
  const workspaceName = (id: string) => session.workspaces.find((one) => one.id === id)?.name ?? '';
  return (
    <Setting id="grants" title={t.title}>
      <QueryState query={useQuery(accountQuery)}>
        {({ grants }) =>
          grants.length === 0 ? (
            <Text size="sm">{t.none}</Text>
          ) : (
            <DataTable columns={t.columns} minWidth={620}>
              {grants.map(({ id, name, workspace_id, scopes, last_used_at }) => (
                <tr key={id}>
                  <td>
                    <bdi>{name}</bdi>
                  </td>
                  <td>{workspaceName(workspace_id)}</td>
                  <td>{scopes.includes('write') ? authorizeTexts.write : authorizeTexts.read}</td>
                  <td>{last_used_at && <Moment at={last_used_at} />}</td>
                  <td>
                    <End t={t} name={name} act={() => endGrant.mutate(id)} />
                  </td>
                </tr>
              ))}
            </DataTable>
          )
        }
      </QueryState>
      <SettingFooter hint={t.hint} />
    </Setting>
  );
}
