import { Button, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { ListChecks, Plus } from 'lucide-react';
import { api } from '../api/client.ts';
import { useWorkspace } from '../session/use-workspace.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { usePaged } from '../ui/use-paged.ts';
import { DecisionFilterBar } from './decision-filter-bar.tsx';
import { decisionKeys } from './decision-keys.ts';
import { DecisionTable } from './decision-table.tsx';

const route = getRouteApi('/user/w/$workspaceId/decisions');

export function DecisionListPage() {
  const { id: workspaceId, may } = useWorkspace();
  const filters = route.useSearch();
  const { sort: _, ...chosen } = filters;
  const isFiltered = Object.keys(chosen).length > 0;
  const decisions = usePaged({
    queryKey: [...decisionKeys.list(workspaceId), filters],
    fetchPage: async (at) => {
      const { overdue, ...others } = filters;
      const query = {
        workspaceId,
        ...others,
        ...(overdue && { overdue: 'true' as const }),
        ...at,
      };
      const { decisions, next_cursor } = await unwrap(api.GET('/decisions', { params: { query } }));
      return { data: decisions, next_cursor };
    },
  });
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
      {decisions.isError && <ProblemAlert error={decisions.error} retry={() => void decisions.refetch()} />}
      {decisions.isPending && <Loading />}
      {isEmpty &&
        (isFiltered ? (
          <Text c="dimmed">No decision is like that.</Text>
        ) : (
          <EmptyState icon={<ListChecks />} title="No decisions yet" action={create}>
            Write down what you decide, what else you considered and why, and how sure you are. Later log what
            came of it: that is how a team learns to decide better.
          </EmptyState>
        ))}
      {decisions.items && !isEmpty && <DecisionTable decisions={decisions.items} />}
      <LoadMore query={decisions} />
    </Page>
  );
}
