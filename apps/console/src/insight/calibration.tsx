import { Grid, Paper, Table, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { CalibrationPlot } from './calibration-plot.tsx';
import { percent } from './percent.ts';
import { Section } from './section.tsx';

type Measured = NonNullable<Schemas['Metrics']['calibration']>;

const FORECASTS_NEEDED = 10;

/** The calibration of forecasts as a plot and a table. */
export function Calibration({ calibration }: { calibration: Schemas['Metrics']['calibration'] }) {
  return (
    <Section
      title="Calibration"
      about="Of the decisions that you gave a 70 % chance, seven in ten should succeed. Points below the diagonal were overconfident, points above it underconfident."
    >
      {calibration ? (
        <Measures calibration={calibration} />
      ) : (
        <Paper withBorder p="md">
          <Text size="sm">
            It takes {FORECASTS_NEEDED} decisions that have both a forecast and an outcome. Give a decision
            its chance of success when you log it.
          </Text>
        </Paper>
      )}
    </Section>
  );
}

function Measures({ calibration }: { calibration: Measured }) {
  const { bins, scored, brier_score, base_rate } = calibration;
  return (
    <>
      <Text size="sm" mb="sm">
        Brier score <strong>{brier_score.toFixed(3)}</strong> over {scored} forecasts (0 is perfect; always
        saying {percent(base_rate)}, the share that succeeded, would score{' '}
        {(base_rate * (1 - base_rate)).toFixed(3)}).
      </Text>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <CalibrationPlot bins={bins} baseRate={base_rate} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Table.ScrollContainer minWidth={420}>
            <Table verticalSpacing={4} aria-label="Forecasts and outcomes">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Forecast</Table.Th>
                  <Table.Th ta="end">Decisions</Table.Th>
                  <Table.Th ta="end">Forecast on average</Table.Th>
                  <Table.Th ta="end">Succeeded</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {bins.map(({ from, to, count, mean_forecast, observed_rate }) => (
                  <Table.Tr key={from}>
                    <Table.Td>
                      {percent(from)} to {percent(to)}
                    </Table.Td>
                    <Table.Td ta="end">{count}</Table.Td>
                    <Table.Td ta="end">{percent(mean_forecast)}</Table.Td>
                    <Table.Td ta="end">{percent(observed_rate)}</Table.Td>
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
