import { Grid, Paper, Table, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { number, percent } from '../texts/format.ts';
import { insightTexts } from '../texts/insight.ts';
import { CalibrationPlot } from './calibration-plot.tsx';
import { Section } from './section.tsx';

type Measured = NonNullable<Schemas['Metrics']['calibration']>;

const FORECASTS_NEEDED = 10;

const shareInWords = (share: number | null) => (share === null ? '–' : percent(share));
const score = (value: number) => number(value, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** The calibration of forecasts as a plot and a table. */
export function Calibration({ calibration }: { calibration: Schemas['Metrics']['calibration'] }) {
  const t = insightTexts.calibration;
  return (
    <Section title={t.title} about={t.about}>
      {calibration ? (
        <Measures calibration={calibration} />
      ) : (
        <Paper withBorder p="md">
          <Text size="sm">{t.tooFew(FORECASTS_NEEDED)}</Text>
        </Paper>
      )}
    </Section>
  );
}

function Measures({ calibration }: { calibration: Measured }) {
  const t = insightTexts.calibration;
  const { bins, scored, brier_score, base_rate } = calibration;
  return (
    <>
      <Text size="sm" mb="sm">
        {t.brier(
          <strong>{score(brier_score)}</strong>,
          scored,
          percent(base_rate),
          score(base_rate * (1 - base_rate)),
        )}
      </Text>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <CalibrationPlot bins={bins} baseRate={base_rate} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Table.ScrollContainer minWidth={420}>
            <Table verticalSpacing={4} aria-label={t.table}>
              <Table.Thead>
                <Table.Tr>
                  {t.columns.map((column, at) => (
                    <Table.Th key={column} {...(at > 0 && { ta: 'end' })}>
                      {column}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {bins.map(({ from, to, count, mean_forecast, observed_rate }) => (
                  <Table.Tr key={from}>
                    <Table.Td>{t.range(percent(from), percent(to))}</Table.Td>
                    <Table.Td ta="end">{number(count)}</Table.Td>
                    <Table.Td ta="end">{shareInWords(mean_forecast)}</Table.Td>
                    <Table.Td ta="end">{shareInWords(observed_rate)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Grid.Col>
      </Grid>
    </>
  );
}
