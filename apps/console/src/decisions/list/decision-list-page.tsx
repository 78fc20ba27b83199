import { Button, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ListChecks, Plus } from 'lucide-react';
import { useWorkspace } from '../../session/use-workspace.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { usePaged } from '../../ui/list/use-paged.ts';
import { Page } from '../../ui/page.tsx';
import { DecisionFilterBar } from './decision-filter-bar.tsx';
import { decisionList } from './decision-list.ts';
import { DecisionTable } from './decision-table.tsx';

const route = getRouteApi('/user/w/$workspaceId/decisions');

export function DecisionListPage() {
  const { id: workspaceId, may } = useWorkspace();
  const filters = route.useSearch();
  const { sort: _, ...chosen } = filters;
  const isFiltered = Object.keys(chosen).length > 0;
  const decisions = usePaged(decisionList(workspaceId, filters));
  const isEmpty = decisions.items?.length === 0;
  const create = may('member') && (
    <Button
      leftSection={<Plus size={16} aria-hidden />}
      renderRoot={(props) => (
        <Link to="/w/$workspaceId/decisions/new" params={{ workspaceId }} search={{}} {...props} />
      )}
    >
      New decision
    </Button>
  );
  return (
    <Page title="Decisions" actions={isEmpty && !isFiltered ? null : create}>
      {!(isEmpty && !isFiltered) && <DecisionFilterBar />}
      <PagedList
        isLive
        query={decisions}
        empty={
          isFiltered ? (
            <Text c="dimmed">No decisions match the filters.</Text>
          ) : (
            <EmptyState icon={<ListChecks />} title="No decisions yet" action={create}>
              Write down what you decide, what else you considered and why, and how sure you are. Log the
              outcome later, so that your team learns to decide better.
            </EmptyState>
          )
        }
      >
        {(items) => <DecisionTable decisions={items} />}
      </PagedList>
    </Page>
  );
}
