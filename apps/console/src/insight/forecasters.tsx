import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { number } from '../texts/format.ts';
import { insightTexts } from '../texts/insight.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { Meaning } from '../ui/text/meaning.tsx';
import { Section } from '../ui/text/section.tsx';
import { CASES_NEEDED } from './calibration.tsx';

type Accuracy = Schemas['ForecastAccuracy'];
type Row = Accuracy & { name: string };

const FIGURES = ['brier_score', 'skill', 'reliability', 'resolution'] as const;
const figure = (value: number | null) =>
  value === null ? '–' : number(value, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** How well the forecasts of people and agents met the outcomes, by forecaster, type and tag. */
export function Forecasters({ calibration }: { calibration: Schemas['Calibration'] }) {
  const t = insightTexts.forecasters;
  const { all, forecasters, types, tags } = calibration;
  const tables: [title: string, rows: Row[]][] = [
    [
      t.forecaster,
      [{ ...all, name: t.all }, ...forecasters.map((one) => ({ ...one, name: one.name ?? one.id }))],
    ],
    [t.type, types.map((one) => ({ ...one, name: one.value }))],
    [t.tag, tags.map((one) => ({ ...one, name: one.value }))],
  ];
  return (
    <Section title={t.title} about={t.about}>
      {all.forecasts === 0 ? (
        <Paper withBorder p="md">
          <Text size="sm">{t.none}</Text>
        </Paper>
      ) : (
        <Stack gap="md">
          <div>
            {FIGURES.map((name) => (
              <Meaning key={name} term={t.figures[name]}>
                {t.means[name]}
              </Meaning>
            ))}
            <Anchor size="sm" href="/docs/calibration" target="_blank">
              {t.guide}
            </Anchor>
          </div>
          {tables.map(
            ([title, rows]) => rows.length > 0 && <Figures key={title} title={title} rows={rows} />,
          )}
        </Stack>
      )}
    </Section>
  );
}

function Figures({ title, rows }: { title: string; rows: Row[] }) {
  const t = insightTexts.forecasters;
  return (
    <div>
      {/* Cards have no headings of columns. */}
      <Title order={3} size="h6" mb="2xs" hiddenFrom="md">
        {title}
      </Title>
      <DataTable
        columns={[title, t.cases, ...FIGURES.map((name) => t.figures[name])]}
        minWidth={640}
        label={t.table(title)}
      >
        {rows.map((row, at) => (
          // A tag may have the name of the row of all.
          <tr key={at === 0 ? '' : row.name}>
            <td>{row.name}</td>
            <td>{number(row.decisions)}</td>
            {row.decisions < CASES_NEEDED ? (
              <td colSpan={FIGURES.length}>{t.tooFew(row.decisions, CASES_NEEDED)}</td>
            ) : (
              FIGURES.map((name) => <td key={name}>{figure(row[name])}</td>)
            )}
          </tr>
        ))}
      </DataTable>
    </div>
  );
}
