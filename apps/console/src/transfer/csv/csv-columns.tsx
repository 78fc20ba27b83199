import { NativeSelect, Text } from '@mantine/core';
import { transferTexts } from '../../texts/transfer.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import { FIELDS, type Field, labelOf } from './csv-records.ts';
import type { Sheet } from './use-csv.ts';

/** The columns of a table with the fields that they become. */
export function CsvColumns(props: {
  sheet: Sheet;
  isBusy: boolean;
  onChange: (fields: Sheet['fields']) => void;
}) {
  const t = transferTexts.csv;
  const { csv, fields } = props.sheet;
  const isFree = (field: Field, at: number) => fields.indexOf(field) === -1 || fields[at] === field;
  return (
    <>
      <Text size="sm">{t.about(csv.rows.length)}</Text>
      <DataTable columns={[t.column, t.example, t.field]} minWidth={360} label={t.columns}>
        {csv.header.map((heading, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns can have the same heading
          <tr key={at}>
            <td>{heading}</td>
            <td>
              <Text size="sm" lineClamp={2}>
                {csv.rows.find(({ cells }) => cells[at]?.trim())?.cells[at]}
              </Text>
            </td>
            <td>
              <NativeSelect
                aria-label={t.fieldOf(heading, at + 1)}
                disabled={props.isBusy}
                value={fields[at] ?? ''}
                data={[
                  { value: '', label: t.leaveOut },
                  ...FIELDS.filter((field) => isFree(field, at)).map((field) => ({
                    value: field,
                    label: labelOf(field),
                  })),
                ]}
                onChange={({ currentTarget }) =>
                  props.onChange(fields.with(at, (currentTarget.value || null) as Field | null))
                }
              />
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}
