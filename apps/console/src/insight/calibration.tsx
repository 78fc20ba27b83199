import { Grid, Paper, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { number, percent } from '../texts/format.ts';
import { insightTexts } from '../texts/insight.ts';
import { Section } from '../ui/text/section.tsx';
import { CalibrationPlot } from './calibration-plot.tsx';
import { CASES_NEEDED } from './cases-needed.ts';

type Measured = NonNullable<Schemas['Metrics']['calibration']>;

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
          <Text size="sm">{t.tooFew(CASES_NEEDED)}</Text>
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
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a phone, also by keyboard */}
          <section className="table-scroll" tabIndex={0} aria-label={t.table}>
            <table className="table numbers" style={{ minWidth: 420 }} aria-label={t.table}>
              <thead>
                <tr>
                  {t.columns.map((column) => (
                    <th key={column}>{column}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {bins.map(({ from, to, count, mean_forecast, observed_rate }) => (
                  <tr key={from}>
                    <td>{t.range(percent(from), percent(to))}</td>
                    <td>{number(count)}</td>
                    <td>{shareInWords(mean_forecast)}</td>
                    <td>{shareInWords(observed_rate)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </Grid.Col>
      </Grid>
    </>
  );
}
