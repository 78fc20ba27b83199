import { Anchor, Stack, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { number, percent } from '../texts/format.ts';
import { insightTexts } from '../texts/insight.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { Meaning } from '../ui/text/meaning.tsx';
import { Section } from '../ui/text/section.tsx';
import { CASES_NEEDED } from './calibration.tsx';

type Compared = Schemas['ScoreAndSuccess'];

const BANDS = ['low', 'middle', 'high'] as const;
const points = (share: number) =>
  number(100 * share, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** Says whether a higher quality score went with success. */
export function ScoreAndSuccess({ compared }: { compared: Compared }) {
  const t = insightTexts.success;
  return (
    <Section title={t.title} about={t.about}>
      <Text size="sm" mb="sm">
        {inWords(compared)}
      </Text>
      <DataTable columns={t.columns} minWidth={480} label={t.table}>
        {BANDS.map((band) => {
          const { cases, success_rate: rate } = compared[band];
          return (
            <tr key={band}>
              <td className="sentence">{t.bands[band]}</td>
              <td>{number(cases)}</td>
              {rate ? (
                <>
                  <td>{percent(rate.value)}</td>
                  <td>{t.range(percent(rate.from), percent(rate.to))}</td>
                </>
              ) : (
                <td colSpan={2}>{insightTexts.forecasters.tooFew(cases, CASES_NEEDED)}</td>
              )}
            </tr>
          );
        })}
      </DataTable>
      <Stack gap="2xs" mt="xs" align="start">
        <Meaning term={t.interval}>{t.intervalMeans}</Meaning>
        <Anchor size="sm" href="/docs/score#whether-a-higher-score-goes-with-success" target="_blank">
          {t.guide}
        </Anchor>
      </Stack>
    </Section>
  );
}

function inWords({ low, high, difference }: Compared) {
  const t = insightTexts.success;
  if (!difference) return t.tooFew(CASES_NEEDED);
  const { value, from, to } = difference;
  const verdict = from > 0 ? t.withSuccess : to < 0 ? t.withFailure : t.notShown;
  const rates = [percent(high.success_rate!.value), percent(low.success_rate!.value)] as const;
  const range = t.range(points(from), points(to));
  return `${verdict} ${t.compared(...rates, high.cases, low.cases)} ${t.difference(points(value), range)}`;
}
