import { Checkbox, Stack } from '@mantine/core';
import { Columns3 } from 'lucide-react';
import { startTransition, useOptimistic } from 'react';
import { decisionFiltersTexts as t } from '../../texts/decision-filters.ts';
import { decisionListTexts as list } from '../../texts/decision-list.ts';
import { ToolbarPopover } from '../../ui/dialog/toolbar-popover.tsx';
import { useArrange } from '../../views/use-arrange.ts';
import { COLUMNS, columnsAmong, useColumns } from './use-columns.ts';

/** Chooses the columns of the list. */
export default function ColumnChooser() {
  const columns = useColumns();
  const arrange = useArrange('decisions');
  // A box that waited for the query would not change with the press.
  const [shown, show] = useOptimistic(columns);
  const choose = (names: string[]) =>
    startTransition(async () => {
      const chosen = columnsAmong(names);
      show(chosen);
      await arrange.mutateAsync({ columns: chosen }).catch(() => undefined);
    });
  return (
    <ToolbarPopover label={t.columns} icon={Columns3} position="bottom-end">
      {() => (
        <Checkbox.Group value={shown} onChange={choose} aria-label={t.columnsOf}>
          <Stack gap="xs">
            {COLUMNS.map((name) => (
              <Checkbox key={name} value={name} label={list.columns[name]} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </ToolbarPopover>
  );
}
