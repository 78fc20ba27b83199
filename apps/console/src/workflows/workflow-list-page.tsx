import { ActionIcon, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { Pencil, Plus, Trash2, Workflow as WorkflowIcon } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from '../session/use-workspace.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { workflowsTexts as t } from '../texts/workflows.ts';
import { confirmDestruction } from '../ui/dialog/confirm.tsx';
import { useNewDialog } from '../ui/dialog/use-new-dialog.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextLink } from '../ui/links.tsx';
import { DataTable } from '../ui/list/data-table.tsx';
import { PagedList } from '../ui/list/paged-list.tsx';
import { usePaged } from '../ui/list/use-paged.ts';
import { notifyDone } from '../ui/notify.tsx';
import { Page } from '../ui/page.tsx';
import { Moment } from '../ui/text/moment.tsx';
import type { WorkflowRecord } from './graph/graph.ts';
import { WorkflowDialog } from './workflow-dialog.tsx';

export function WorkflowListPage() {
  const { id: workspaceId, may } = useWorkspace();
  const queryClient = useQueryClient();
  const [edited, setEdited] = useState<WorkflowRecord | null>(null);
  const [isCreating, setCreating] = useNewDialog();
  const workflows = usePaged({
    queryKey: queryKeys.workflows(workspaceId),
    changesWith: ['workflow.*'],
    fetchPage: (at) => unwrap(api.GET('/workflows', { params: { query: { workspaceId, ...at } } })),
  });
  const remove = useMutation({
    mutationFn: ({ id }: WorkflowRecord) =>
      unwrap(api.DELETE('/workflows/{id}', { params: { path: { id } } })),
    onSuccess: (_, { title }) => {
      notifyDone(t.deletion.done(title));
      return queryClient.invalidateQueries({ queryKey: queryKeys.workflows(workspaceId) });
    },
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
    <Page title={t.title} actions={workflows.items?.length ? createButton : null}>
      <PagedList
        isLive
        query={workflows}
        empty={
          <EmptyState icon={<WorkflowIcon />} title={t.empty} action={createButton}>
            {t.emptyHint}
          </EmptyState>
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
  workflows: WorkflowRecord[];
  onEdit: (workflow: WorkflowRecord) => void;
  onDelete: (workflow: WorkflowRecord) => void;
}) {
  const { workflows, onEdit, onDelete } = props;
  const { id: workspaceId, may } = useWorkspace();
  const columns = [t.columns.title, { name: t.columns.changed, className: 'mantine-visible-from-sm' }];
  return (
    <DataTable columns={may('member') ? [...columns, ui.actions] : columns} minWidth={0}>
      {workflows.map((workflow) => (
        <tr key={workflow.id}>
          <td>
            <Stack gap="2xs">
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
                <Text size="sm" c="dimmed" lineClamp={2} title={workflow.description}>
                  {workflow.description}
                </Text>
              )}
            </Stack>
          </td>
          <td className="mantine-visible-from-sm">
            <Moment at={workflow.updated_at} />
          </td>
          {may('member') && (
            <td>
              <Group gap="xs" wrap="nowrap">
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={t.rename(workflow.title)}
                  onClick={() => onEdit(workflow)}
                >
                  <Pencil size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={t.remove(workflow.title)}
                  onClick={() => onDelete(workflow)}
                >
                  <Trash2 size={16} />
                </ActionIcon>
              </Group>
            </td>
          )}
        </tr>
      ))}
    </DataTable>
  );
}
