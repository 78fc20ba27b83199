import { UnstyledButton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { decisionListTexts as t } from '../../texts/decision-list.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import { dayInWords } from '../../ui/text/day.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { DecisionOutcome, DecisionStatus, OverdueMark, Score } from '../decision-badges.tsx';
import { DecisionLink } from '../decision-link.tsx';
import { DecisionTags } from '../decision-tags.tsx';
import { type Decision, isOverdue } from '../decision-words.ts';
import { DEFAULT_SORT, decisionFiltersOf, type SortField } from '../views/decision-filters.ts';
import { type Column, useColumns } from '../views/use-columns.ts';
import { AuthorName, AuthorNames } from './author-names.tsx';

const route = getRouteApi('/user/w/$workspaceId/decisions');

const SORTS: Partial<Record<Column, { field: SortField; isDescendingFirst?: boolean }>> = {
  quality: { field: 'quality_score', isDescendingFirst: true },
  expected: { field: 'expected_by' },
  created: { field: 'created_at', isDescendingFirst: true },
  changed: { field: 'updated_at', isDescendingFirst: true },
};

/** Selects rows, or no longer. */
export type Select = (ids: string[], isSelected: boolean) => void;

export function DecisionTable(props: {
  decisions: Decision[];
  selected: ReadonlySet<string>;
  /** Null where the user may not change any. */
  select: Select | null;
}) {
  const { decisions, selected, select } = props;
  const columns = useColumns();
  const ids = decisions.map(({ id }) => id);
  const count = ids.filter((id) => selected.has(id)).length;
  const all = select && (
    <Choice
      label={t.selectAll}
      isChosen={count === ids.length}
      isPartial={count > 0 && count < ids.length}
      choose={(isChosen) => select(ids, isChosen)}
    />
  );
  const heads = columns.map((name) => {
    const sort = SORTS[name];
    const label = t.columns[name];
    return sort ? { name: label, head: <SortedHead key={name} label={label} {...sort} /> } : label;
  });
  const title = {
    name: t.decision,
    head: <SortedHead key="title" field="title" label={t.decision} before={all} />,
  };
  return (
    <DataTable columns={[title, ...heads]} minWidth={240 + 100 * columns.length} label={t.title}>
      <AuthorNames>
        {decisions.map((decision) => (
          <DecisionRow
            key={decision.id}
            decision={decision}
            columns={columns}
            isSelected={selected.has(decision.id)}
            select={select}
          />
        ))}
      </AuthorNames>
    </DataTable>
  );
}

/** Renders again only if it has changed: a list can have hundreds. */
const DecisionRow = memo(function DecisionRow(props: {
  decision: Decision;
  columns: Column[];
  isSelected: boolean;
  select: Select | null;
}) {
  const { decision, columns, isSelected, select } = props;
  return (
    <tr data-selected={isSelected || undefined}>
      <td className="title">
        <div className="choice">
          {select && (
            <Choice
              label={t.select(decision.title)}
              isChosen={isSelected}
              choose={(isChosen) => select([decision.id], isChosen)}
            />
          )}
          <div className="title-cell">
            <DecisionLink id={decision.id}>{decision.title}</DecisionLink>
            <DecisionTags decision={decision} />
          </div>
        </div>
      </td>
      {columns.map((name) => (
        <td key={name}>
          <Cell name={name} decision={decision} />
        </td>
      ))}
    </tr>
  );
});

function Cell({ name, decision }: { name: Column; decision: Decision }): ReactNode {
  switch (name) {
    case 'status':
      return <DecisionStatus status={decision.status} />;
    case 'outcome':
      return <DecisionOutcome outcome={decision.outcome} />;
    case 'quality':
      return <Score score={decision.quality_score} />;
    case 'expected':
      return (
        <>
          {decision.expected_by && `${dayInWords(decision.expected_by)} `}
          {isOverdue(decision) && <OverdueMark />}
        </>
      );
    case 'author':
      return <AuthorName id={decision.created_by} />;
    case 'created':
      return <Moment at={decision.created_at} precision="day" />;
    case 'changed':
      return <Moment at={decision.updated_at} precision="day" />;
  }
}

/** A plain element, because each row has one. */
function Choice(props: {
  label: string;
  isChosen: boolean;
  isPartial?: boolean;
  choose: (isChosen: boolean) => void;
}) {
  const { label, isChosen, isPartial = false, choose } = props;
  const setPartial = (field: HTMLInputElement | null) => {
    if (field) field.indeterminate = isPartial;
  };
  return (
    <input
      ref={setPartial}
      type="checkbox"
      className="mantine-focus-auto"
      aria-label={label}
      checked={isChosen}
      onChange={(event) => choose(event.currentTarget.checked)}
    />
  );
}

/** A heading that sorts by its column and reverses the order on the next click. */
function SortedHead(props: {
  field: SortField;
  label: string;
  isDescendingFirst?: boolean;
  before?: ReactNode;
}) {
  const { field, label, isDescendingFirst = false, before } = props;
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const sort = filters.sort ?? DEFAULT_SORT;
  const isSorted = sort === field || sort === `-${field}`;
  const isDescending = sort === `-${field}`;
  const next = (isSorted ? !isDescending : isDescendingFirst) ? `-${field}` : field;
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  return (
    <th aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}>
      <div className="choice">
        {before}
        <UnstyledButton
          style={{ font: 'inherit', whiteSpace: 'nowrap' }}
          onClick={() => navigate({ search: decisionFiltersOf({ ...filters, sort: next }), replace: true })}
        >
          {label} {isSorted && <Arrow size={14} aria-hidden style={{ verticalAlign: 'middle' }} />}
        </UnstyledButton>
      </div>
    </th>
  );
}
