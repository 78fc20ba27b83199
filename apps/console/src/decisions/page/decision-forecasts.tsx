import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { percent } from '../../texts/format.ts';
import { FocusedPart } from '../../ui/dialog/early-typing.tsx';
import { lazyPart } from '../../ui/lazy-page.ts';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { ImportedBy } from '../../ui/text/imported-by.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Meaning } from '../../ui/text/meaning.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { Section } from '../../ui/text/section.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import type { DecisionParts } from '../decision-query.ts';
import { useDecisionPart } from './use-decision-part.ts';

const ForecastDialog = lazyPart(() => import('./forecast-dialog.tsx'));

/** The forecasts of a decision, each and combined. The user gives an own one, or changes it. */
export function DecisionForecasts({ id, first }: { id: string; first: DecisionParts['forecasts'] }) {
  const t = decisionPageTexts.forecasts;
  const { may } = useWorkspace();
  const [isGiving, setGiving] = useState(false);
  const { count, hidden, open, mine, median, extremized_mean } = first;
  const forecasts = useDecisionPart(id, 'forecasts', first);
  if (count === 0 && !open) return null;
  const close = () => setGiving(false);
  return (
    <Section title={t.title} about={open ? t.open : t.closed}>
      {count === 0 && <Text size="sm">{t.none}</Text>}
      {count > 0 && hidden && <Text size="sm">{t.hidden(count)}</Text>}
      {median !== null && (
        <Stack gap="2xs" mb="xs">
          <Meaning term={t.median(percent(median, 1), count)}>{t.medianMeans}</Meaning>
          {extremized_mean !== null && (
            <Meaning term={t.extremized(percent(extremized_mean, 1))}>{t.extremizedMeans}</Meaning>
          )}
        </Stack>
      )}
      <Stack gap="xs">
        {forecasts.items.map(
          ({ id: forecastId, forecaster, probability, reason, imported_by, created_at }) => (
            <div key={forecastId}>
              <Text size="sm">
                {t.of(
                  <strong>{forecaster.name ?? forecaster.id}</strong>,
                  percent(probability, 1),
                  <Moment at={created_at} />,
                )}
                <ImportedBy author={imported_by} />
              </Text>
              {reason && <Markdown size="sm">{reason}</Markdown>}
            </div>
          ),
        )}
      </Stack>
      {forecasts.isError && <ProblemAlert error={forecasts.error} retry={forecasts.refetch} />}
      <LoadMore query={forecasts} />
      <Group gap="sm" mt="sm">
        {open && may('member') && (
          <Button variant="default" size="xs" onClick={() => setGiving(true)}>
            {mine ? t.change : t.give}
          </Button>
        )}
        <Anchor size="sm" href="/docs/calibration" target="_blank">
          {t.guide}
        </Anchor>
      </Group>
      {isGiving && (
        <FocusedPart onClose={close}>
          <ForecastDialog id={id} mine={mine} onClose={close} />
        </FocusedPart>
      )}
    </Section>
  );
}
