import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { Columns3 } from 'lucide-react';
import { decisionFiltersTexts as t } from '../../texts/decision-filters.ts';
import { decisionListTexts as list } from '../../texts/decision-list.ts';
import { useArrange } from './use-arrange.ts';
import { COLUMNS, columnsAmong, useColumns } from './use-columns.ts';

/** Chooses the columns of the list. */
export default function ColumnChooser() {
  const columns = useColumns();
  const arrange = useArrange();
  return (
    <Popover defaultOpened position="bottom-end" trapFocus withRoles={false} withinPortal={false}>
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={16} aria-hidden />}>
          {t.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group
          value={columns}
          onChange={(names) => arrange.mutate({ columns: columnsAmong(names) })}
          aria-label={t.columnsOf}
        >
          <Stack gap="xs">
            {COLUMNS.map((name) => (
              <Checkbox key={name} value={name} label={list.columns[name]} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
}
