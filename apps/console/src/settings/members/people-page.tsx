import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { sentence } from '../../texts/format.ts';
import { membersTexts as t } from '../../texts/members.ts';
import { settingsTexts as settings } from '../../texts/settings.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { Person } from '../../ui/avatar.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { usePaged } from '../../ui/list/use-paged.ts';
import { Page } from '../../ui/page.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';

/** The members, for users who may not change them: names and roles, without addresses. */
export function PeoplePage() {
  const { id: workspaceId } = useWorkspace();
  const people = usePaged({
    queryKey: [...queryKeys.members(workspaceId), 'roles'],
    changesWith: ['workspace.*', 'invitation.*'],
    fetchPage: (at) => api.get('/people', { workspaceId, ...at }),
  });
  return (
    <Page title={settings.members}>
      <PagedList query={people} empty={null}>
        {(items) => (
          <DataTable columns={t.columns.slice(0, 2)} minWidth={320}>
            {items.map(({ id, name, role }) => (
              <tr key={id}>
                <td>
                  <Person name={name} />
                </td>
                <td>{sentence(words.role[role])}</td>
              </tr>
            ))}
          </DataTable>
        )}
      </PagedList>
    </Page>
  );
}
