import { ActionIcon, Anchor, Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { Pencil, Plus, Trash2, Workflow as WorkflowIcon } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from '../session/use-workspace.ts';
import { confirmDestruction } from '../ui/dialog/confirm.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { DataTable } from '../ui/list/data-table.tsx';
import { PagedList } from '../ui/list/paged-list.tsx';
import { usePaged } from '../ui/list/use-paged.ts';
import { notifyDone, notifyProblem } from '../ui/notify.tsx';
import { Page } from '../ui/page.tsx';
import { Moment } from '../ui/text/moment.tsx';
import { useNewDialog } from '../ui/use-new-dialog.ts';
import type { WorkflowRecord } from './graph/graph.ts';
import { WorkflowDialog } from './workflow-dialog.tsx';

const COLUMNS = ['Title', { name: 'Changed', visibleFrom: 'sm' }] as const;

export function WorkflowListPage() {
  const { id: workspaceId, may } = useWorkspace();
  const queryClient = useQueryClient();
  const [edited, setEdited] = useState<WorkflowRecord | null>(null);
  const [isCreating, setCreating] = useNewDialog();
  const workflows = usePaged({
    queryKey: queryKeys.workflows(workspaceId),
    fetchPage: (at) => unwrap(api.GET('/workflows', { params: { query: { workspaceId, ...at } } })),
  });
  const remove = useMutation({
    mutationFn: ({ id }: WorkflowRecord) =>
      unwrap(api.DELETE('/workflows/{id}', { params: { path: { id } } })),
    onSuccess: (_, { title }) => {
      notifyDone(`Deleted “${title}”.`);
      return queryClient.invalidateQueries({ queryKey: queryKeys.workflows(workspaceId) });
    },
    onError: notifyProblem,
  });
  const createButton = may('member') && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New workflow
    </Button>
  );
  const askToDelete = (workflow: WorkflowRecord) =>
    confirmDestruction({
      title: `Delete “${workflow.title}”?`,
      consequence: 'This also deletes its nodes, edges and threads. This cannot be undone.',
      act: 'Delete workflow',
      onConfirm: () => remove.mutate(workflow),
    });

  return (
    <Page title="Workflows" actions={workflows.items?.length ? createButton : null}>
      <PagedList
        isLive
        query={workflows}
        empty={
          <EmptyState icon={<WorkflowIcon />} title="No workflows yet" action={createButton}>
            A workflow is a graph of work: tasks, documents, decisions and automations as nodes, connected by
            edges. Several people can edit it at once.
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
  return (
    <DataTable columns={may('member') ? [...COLUMNS, 'Actions'] : COLUMNS} minWidth={0}>
      {workflows.map((workflow) => (
        <Table.Tr key={workflow.id}>
          <Table.Td>
            <Stack gap="2xs">
              <Group gap="xs">
                <Anchor
                  fw={600}
                  renderRoot={(props) => (
                    <Link
                      to="/w/$workspaceId/workflows/$workflowId"
                      params={{ workspaceId, workflowId: workflow.id }}
                      {...props}
                    />
                  )}
                >
                  {workflow.title}
                </Anchor>
                {workflow.acyclic && <Badge variant="default">Acyclic</Badge>}
              </Group>
              {workflow.description && (
                <Text size="sm" c="dimmed" lineClamp={2} title={workflow.description}>
                  {workflow.description}
                </Text>
              )}
            </Stack>
          </Table.Td>
          <Table.Td visibleFrom="sm">
            <Moment at={workflow.updated_at} />
          </Table.Td>
          {may('member') && (
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={`Rename ${workflow.title}`}
                  onClick={() => onEdit(workflow)}
                >
                  <Pencil size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={`Delete ${workflow.title}`}
                  onClick={() => onDelete(workflow)}
                >
                  <Trash2 size={16} />
                </ActionIcon>
              </Group>
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  );
}
