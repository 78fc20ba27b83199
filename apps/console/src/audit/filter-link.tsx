import { Anchor } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { auditTexts as t } from '../texts/audit.ts';
import { auditFiltersOf } from './audit-filters.ts';

const route = getRouteApi('/user/w/$workspaceId/audit');

/** A value that filters the entries by itself. */
export function FilterLink(props: {
  filter: Record<string, string>;
  what: keyof typeof t.only;
  name?: string;
  children: string;
}) {
  const { filter, what, children, name = children } = props;
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Anchor
      component="button"
      type="button"
      inherit
      c="inherit"
      ta="start"
      mih={24}
      miw={24}
      title={t.only[what]}
      aria-label={name === children ? `${t.only[what]}: ${name}` : `${children}: ${name}`}
      onClick={() => navigate({ search: auditFiltersOf({ ...filters, ...filter }) })}
    >
      <bdi>{children}</bdi>
    </Anchor>
  );
}
