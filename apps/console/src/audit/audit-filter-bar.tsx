import { Button, Group, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import './audit-filter-bar.css';
import { auditTexts as t } from '../texts/audit.ts';
import { wordsTexts } from '../texts/words.ts';
import { FacetPicker } from '../ui/list/facet-picker.tsx';
import { ListViews } from '../views/list-views.tsx';
import { useAuditFacets } from '../workspace/audit-facets.ts';
import { nameOf } from './actor-name.ts';
import { auditFiltersOf } from './audit-filters.ts';
import { auditViews, viewQueryOf } from './audit-views.ts';
import { localDay, startOfDay } from './local-day.ts';

const route = getRouteApi('/user/w/$workspaceId/audit');

/** The filters of the entries, kept in the URL. */
export function AuditFilterBar() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const facets = useAuditFacets();
  const filter = (change: Record<string, unknown>) =>
    void navigate({ search: auditFiltersOf({ ...filters, ...change }), replace: true });
  const actors = (facets?.actors ?? []).map(({ id, count, ...actor }) => ({
    value: id,
    name: nameOf({ type: 'session', ...actor }),
    count,
  }));
  return (
    <Group className="audit-filters" align="flex-end" gap="sm" my="md" role="search" aria-label={t.filters}>
      <FacetPicker
        label={t.action}
        values={facets?.actions}
        chosen={filters.action}
        pick={(action) => filter({ action })}
      />
      <FacetPicker
        label={t.kind}
        values={facets?.resource_types.map((type) => ({ ...type, name: wordsTexts.kind(type.value) }))}
        chosen={filters.resourceType}
        pick={(resourceType) => filter({ resourceType })}
      />
      <FacetPicker
        label={t.actor}
        values={actors}
        chosen={filters.actor}
        pick={(actor) => filter({ actor })}
      />
      <TextInput
        label={t.from}
        type="date"
        value={localDay(filters.from)}
        onChange={(event) => filter({ from: startOfDay(event.currentTarget.value) })}
      />
      <TextInput
        label={t.to}
        type="date"
        value={localDay(filters.to, -1)}
        onChange={(event) => filter({ to: startOfDay(event.currentTarget.value, 1) })}
      />
      {filters.resourceId !== undefined && (
        <Button variant="default" onClick={() => filter({ resourceId: undefined })}>
          {t.everyRecord}
        </Button>
      )}
      {filters.ip !== undefined && (
        <Button variant="default" onClick={() => filter({ ip: undefined })}>
          {t.everyAddress}
        </Button>
      )}
      {Object.keys(filters).length > 0 && (
        <Button variant="subtle" color="var(--mantine-color-text)" onClick={() => navigate({ search: {} })}>
          {t.showAll}
        </Button>
      )}
      <Group gap="xs" ms="auto">
        <ListViews list={auditViews} query={viewQueryOf(filters)} />
      </Group>
    </Group>
  );
}
