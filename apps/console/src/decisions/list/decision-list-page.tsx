import { Box, Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { limits } from '@waymark/client/facts';
import { ListChecks, Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { decisionListTexts as t } from '../../texts/decision-list.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { lazyPart } from '../../ui/lazy-page.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { usePaged } from '../../ui/list/use-paged.ts';
import { Page } from '../../ui/page.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import type { DecisionFilters } from '../views/decision-filters.ts';
import { decisionFacets } from './decision-facets.ts';
import { DecisionFilterBar } from './decision-filter-bar.tsx';
import { decisionList, matchingDecisions } from './decision-list.ts';
import { DecisionTable, type Select } from './decision-table.tsx';
import { useDeleteWithUndo } from './use-delete-with-undo.ts';

// The rows come first; what works on them is large.
const FirstSteps = lazyPart(() => import('./first-steps.tsx'));
const SampleNotice = lazyPart(() => import('./sample-notice.tsx'));
const DecisionBoard = lazyPart(() => import('./decision-board.tsx'));
const BulkBar = lazyPart(() => import('./bulk-bar.tsx'));

const route = getRouteApi('/user/w/$workspaceId/decisions');

export function DecisionListPage() {
  const { id: workspaceId, may } = useWorkspace();
  const filters = route.useSearch();
  const { sort: _, board, ...given } = filters;
  const isFiltered = Object.keys(given).length > 0;
  const found = usePaged(decisionList(workspaceId, filters));
  const { hidden, remove } = useDeleteWithUndo(workspaceId);
  const decisions = { ...found, items: found.items?.filter(({ id }) => !hidden.has(id)) };
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [matchedBy, setMatchedBy] = useState<DecisionFilters | null>(null);
  const matching = useQuery({
    ...matchingDecisions(workspaceId, filters),
    enabled: matchedBy === filters,
  });
  const shown = decisions.items ?? [];
  const more =
    matching.data?.filter(({ id }) => !hidden.has(id) && !shown.some((one) => one.id === id)) ?? [];
  const chosen = board ? [] : [...shown, ...more].filter(({ id }) => selected.has(id));
  const queryClient = useQueryClient();
  const selectMatching = useMutation({
    mutationFn: () => queryClient.fetchQuery(matchingDecisions(workspaceId, filters)),
    onSuccess: (found) => {
      setMatchedBy(filters);
      setSelected(new Set(found.map(({ id }) => id)));
    },
  });
  const { data: facets } = useQuery({ ...decisionFacets(workspaceId, filters), enabled: chosen.length > 0 });
  const total = facets?.total ?? 0;
  const offered = Math.min(total, limits.pageSizeMax);
  const isOffered = offered > chosen.length && shown.every(({ id }) => selected.has(id));
  const select = useCallback<Select>(
    (ids, isSelected) =>
      setSelected((known) => {
        const others = [...known].filter((id) => !ids.includes(id));
        return new Set(isSelected ? [...others, ...ids] : others);
      }),
    [],
  );
  const isEmpty = found.items?.length === 0;
  // Another filter loads other rows; the field in which it is typed stays, with its focus.
  const [hasLoaded, setLoaded] = useState(false);
  if (!decisions.isPending && !hasLoaded) setLoaded(true);
  const create = may('member') && (
    <ButtonLink
      leftSection={<Plus size={16} aria-hidden />}
      to="/w/$workspaceId/decisions/new"
      params={{ workspaceId }}
      search={{}}
    >
      {t.newDecision}
    </ButtonLink>
  );
  return (
    <Page title={t.title} actions={isEmpty && !isFiltered ? null : create}>
      {localStorage.getItem('waymark.sample') === workspaceId && may('owner') && (
        <LazyPart>
          <SampleNotice />
        </LazyPart>
      )}
      {!(isEmpty && !isFiltered) && <Box className="filter-bar">{hasLoaded && <DecisionFilterBar />}</Box>}
      <PagedList
        isLive
        query={decisions}
        empty={
          // Those that are being deleted are still counted above.
          !isEmpty ? null : isFiltered ? (
            <Text c="dimmed">{t.noMatch}</Text>
          ) : (
            <EmptyState
              icon={<ListChecks />}
              title={t.empty}
              action={
                <>
                  {create}
                  <LazyPart>
                    <FirstSteps />
                  </LazyPart>
                </>
              }
              hint={t.emptyHint}
            />
          )
        }
      >
        {(items) =>
          board ? (
            <LazyPart>
              <DecisionBoard decisions={items} isPart={decisions.hasNextPage} />
            </LazyPart>
          ) : (
            <DecisionTable decisions={items} selected={selected} select={may('member') ? select : null} />
          )
        }
      </PagedList>
      {chosen.length > 0 && (
        <LazyPart>
          <BulkBar
            decisions={chosen}
            remove={remove}
            clear={() => setSelected(new Set())}
            more={
              isOffered && (
                <Button
                  variant="subtle"
                  size="xs"
                  loading={selectMatching.isPending}
                  onClick={() => selectMatching.mutate()}
                >
                  {t.selectMatching(offered, total)}
                </Button>
              )
            }
          />
        </LazyPart>
      )}
    </Page>
  );
}
