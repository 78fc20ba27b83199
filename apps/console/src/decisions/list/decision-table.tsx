import { Table, Text, UnstyledButton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { dayInWords } from '../../ui/text/day.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { DecisionOutcome, DecisionStatus } from '../decision-badges.tsx';
import { DecisionLink } from '../decision-link.tsx';
import { type Decision, isOverdue } from '../decision-words.ts';
import { DEFAULT_SORT, decisionFiltersOf, type SortField } from './decision-filters.ts';

const route = getRouteApi('/user/w/$workspaceId/decisions');

export function DecisionTable({ decisions }: { decisions: Decision[] }) {
  return (
    <Table.ScrollContainer minWidth={860}>
      <Table verticalSpacing="xs" aria-label="Decisions">
        <Table.Thead>
          <Table.Tr>
            <SortedHead field="title" label="Decision" />
            <Table.Th>Status</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <SortedHead field="quality_score" label="Quality" isDescendingFirst />
            <SortedHead field="expected_by" label="Expected by" />
            <SortedHead field="created_at" label="Created" isDescendingFirst />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {decisions.map((decision) => (
            <DecisionRow key={decision.id} decision={decision} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** A heading that sorts by its column and reverses the order on the next click. */
function SortedHead(props: { field: SortField; label: string; isDescendingFirst?: boolean }) {
  const { field, label, isDescendingFirst = false } = props;
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const sort = filters.sort ?? DEFAULT_SORT;
  const isSorted = sort === field || sort === `-${field}`;
  const isDescending = sort === `-${field}`;
  const next = (isSorted ? !isDescending : isDescendingFirst) ? `-${field}` : field;
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  return (
    <Table.Th aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton
        fz="sm"
        fw={700}
        style={{ whiteSpace: 'nowrap' }}
        onClick={() => navigate({ search: decisionFiltersOf({ ...filters, sort: next }), replace: true })}
      >
        {label} {isSorted && <Arrow size={14} aria-hidden style={{ verticalAlign: 'middle' }} />}
      </UnstyledButton>
    </Table.Th>
  );
}

function DecisionRow({ decision }: { decision: Decision }) {
  const { id, title, status, outcome, quality_score, expected_by, created_at } = decision;
  const about = [decision.decision_type, ...decision.tags.map((tag) => `#${tag}`)].filter(Boolean);
  return (
    <Table.Tr>
      <Table.Td maw={420}>
        <DecisionLink id={id}>{title}</DecisionLink>
        {about.length > 0 && (
          <Text size="xs" c="dimmed">
            {about.join(' ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <DecisionStatus status={status} />
      </Table.Td>
      <Table.Td>
        <DecisionOutcome outcome={outcome} />
      </Table.Td>
      <Table.Td>{quality_score}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {expected_by && dayInWords(expected_by)}
        {isOverdue(decision) && (
          <Text span size="sm" c="red" fw={600}>
            {' '}
            overdue
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Moment at={created_at} />
      </Table.Td>
    </Table.Tr>
  );
}
