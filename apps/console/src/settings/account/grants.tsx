import { Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';
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

/** The programs that the user has given access; each can be disconnected. */
export function Grants() {
  const t = settingsAccountTexts.grants;
  const { data: session } = useSuspenseQuery(sessionQuery);
  const grants = useQuery({
    queryKey: queryKeys.grants,
    changesWith: [],
    queryFn: () => unwrap(api.GET('/auth/grants')),
  });
  const end = useChange({
    mutationFn: (id: string) => unwrap(api.DELETE('/auth/grants/{id}', { params: { path: { id } } })),
    changes: [queryKeys.grants],
    done: t.ended,
  });
  const workspaceName = (id: string) => session.workspaces.find((one) => one.id === id)?.name ?? '';
  return (
    <Setting id="grants" title={t.title}>
      <QueryState query={grants} />
      {grants.data && grants.data.data.length > 0 && (
        <DataTable columns={t.columns} minWidth={620}>
          {grants.data.data.map(({ id, name, workspace_id, scopes, last_used_at }) => (
            <tr key={id}>
              <td>
                <bdi>{name}</bdi>
              </td>
              <td>{workspaceName(workspace_id)}</td>
              <td>{scopes.includes('write') ? authorizeTexts.write : authorizeTexts.read}</td>
              <td>{last_used_at && <Moment at={last_used_at} />}</td>
              <td>
                <RowButton
                  aria-label={t.endOf(name)}
                  onClick={() =>
                    confirmDestruction({
                      title: t.askEnd(name),
                      consequence: t.endHint,
                      act: t.end,
                      onConfirm: () => end.mutate(id),
                    })
                  }
                >
                  {t.end}
                </RowButton>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {grants.data?.data.length === 0 && <Text size="sm">{t.none}</Text>}
      <SettingFooter hint={t.hint} />
    </Setting>
  );
}
