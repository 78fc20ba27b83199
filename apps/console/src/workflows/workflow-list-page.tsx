import { Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Plus, Search, Workflow as WorkflowIcon } from 'lucide-react';
import { useState } from 'react';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { number } from '../texts/format.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { workflowsTexts as t } from '../texts/workflows.ts';
import { Person } from '../ui/avatar.tsx';
import { confirmDestruction } from '../ui/dialog/confirm.tsx';
import { MoreAction, MoreMenu } from '../ui/dialog/more-menu.tsx';
import { useNewDialog } from '../ui/dialog/use-new-dialog.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextLink } from '../ui/links.tsx';
import { DataTable } from '../ui/list/data-table.tsx';
import { PagedList } from '../ui/list/paged-list.tsx';
import { usePaged } from '../ui/list/use-paged.ts';
import { Page } from '../ui/page.tsx';
import { Hint } from '../ui/text/hint.ts';
import { Moment } from '../ui/text/moment.tsx';
import { useChange } from '../ui/use-change.ts';
import { usePeople } from '../workspace/people.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import type { WorkflowRecord } from './graph/graph.ts';
import { WorkflowDialog } from './workflow-dialog.tsx';
import { WorkflowPicture } from './workflow-picture.tsx';

const PAUSE_MS = 300;

export function WorkflowListPage() {
  const { id: workspaceId, may } = useWorkspace();
  const [edited, setEdited] = useState<WorkflowRecord | null>(null);
  const [isCreating, setCreating] = useNewDialog();
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const workflows = usePaged({
    queryKey: [...queryKeys.workflows(workspaceId), ...(text ? ['containing', text] : [])],
    changesWith: ['workflow.*', 'node.*', 'nodes.*', 'edge.*'],
    fetchPage: (at) => {
      const shown = { sort: '-updated_at' as const, include: ['outline' as const] };
      return api.get('/workflows', { workspaceId, ...shown, ...(text && { text }), ...at });
    },
  });
  const hasAny = text !== '' || workflows.items?.length !== 0;
  const remove = useChange({
    mutationFn: ({ id }: WorkflowRecord) => api.delete('/workflows/{id}', { id }),
    changes: [queryKeys.workflows(workspaceId)],
    done: (_, { title }) => t.deletion.done(title),
  });
  const createButton = may('member') && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t.add}
    </Button>
  );
  const askToDelete = (workflow: WorkflowRecord) =>
    confirmDestruction({
      ...t.deletion,
      title: t.deletion.title(workflow.title),
      onConfirm: () => remove.mutate(workflow),
    });

  return (
    <Page title={t.title} actions={hasAny && createButton}>
      {hasAny && (
        <TextInput
          type="search"
          aria-label={t.find}
          placeholder={t.find}
          leftSection={<Search size={16} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maw={320}
          mb="md"
        />
      )}
      <PagedList
        isLive
        query={workflows}
        empty={
          hasAny ? (
            <Text size="sm">{t.noMatch}</Text>
          ) : (
            <EmptyState icon={<WorkflowIcon />} title={t.empty} action={createButton} hint={t.emptyHint} />
          )
        }
      >
        {(items) => <WorkflowTable workflows={items} onEdit={setEdited} onDelete={askToDelete} />}
      </PagedList>
      {isCreating && may('member') && <WorkflowDialog workflow={null} onClose={() => setCreating(false)} />}
      {edited && <WorkflowDialog workflow={edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

function WorkflowTable(props: {
  workflows: Schemas['WorkflowWithParts'][];
  onEdit: (workflow: WorkflowRecord) => void;
  onDelete: (workflow: WorkflowRecord) => void;
}) {
  const { workflows, onEdit, onDelete } = props;
  const { id: workspaceId, may } = useWorkspace();
  const people = usePeople();
  const { title, owner, nodes, changed } = t.columns;
  const columns = [title, owner, nodes, changed];
  return (
    <DataTable columns={may('member') ? [...columns, ui.actions] : columns} minWidth={560} label={t.title}>
      {workflows.map((workflow) => {
        const { included, ...record } = workflow;
        const name = people?.find(({ id }) => id === workflow.created_by)?.name;
        return (
          <tr key={workflow.id}>
            <td>
              <Group gap="md" wrap="nowrap">
                <WorkflowPicture picture={included!.outline!.picture} />
                <div style={{ minWidth: 0 }}>
                  <Group gap="xs">
                    <TextLink
                      fw={600}
                      to="/w/$workspaceId/workflows/$workflowId"
                      params={{ workspaceId, workflowId: workflow.id }}
                    >
                      {workflow.title}
                    </TextLink>
                    {workflow.acyclic && <Badge variant="default">{t.acyclic}</Badge>}
                  </Group>
                  {workflow.description && (
                    <Hint lineClamp={1} title={workflow.description}>
                      {workflow.description}
                    </Hint>
                  )}
                </div>
              </Group>
            </td>
            <td>{name && <Person name={name} />}</td>
            <td>{number(included!.outline!.node_count)}</td>
            <td>
              <Moment at={workflow.updated_at} />
            </td>
            {may('member') && (
              <td>
                <MoreMenu of={workflow.title}>
                  <MoreAction onClick={() => onEdit(record)}>{ui.rename}</MoreAction>
                  <MoreAction isDanger onClick={() => onDelete(record)}>
                    {ui.delete}
                  </MoreAction>
                </MoreMenu>
              </td>
            )}
          </tr>
        );
      })}
    </DataTable>
  );
}
