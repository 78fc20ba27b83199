import { Anchor, Group, List, Progress, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { decisionTexts } from '../texts/decision.ts';
import { Hint } from '../ui/text/hint.ts';
import { Meaning } from '../ui/text/meaning.tsx';
import { FramedSection } from '../ui/text/section.tsx';
import { Score } from './decision-badges.tsx';
import { scaleColor } from './decision-words.ts';

/** The number of actions in view, the ones that raise the score most. */
const FIRST = 4;

/** The score of a decision, its components, and how to raise it. */
export function QualityBreakdown({ quality }: { quality: Schemas['Quality'] }) {
  const t = decisionTexts.quality;
  const raises = quality.components.flatMap(({ raise }) => raise).sort((a, b) => b.points - a.points);
  return (
    <FramedSection
      title={t.title}
      actions={
        <Text aria-label={t.score(quality.score)} role="img">
          <Text span fz="xl" data-score>
            <Score score={quality.score} />
          </Text>{' '}
          {t.of(100)}
        </Text>
      }
    >
      <Stack gap="xs">
        {quality.components.map(({ name, points, max }) => (
          <div key={name}>
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <Meaning term={t.components[name]}>{t.means[quality.model][name]}</Meaning>
              <Hint>{t.points(Math.round(points), max)}</Hint>
            </Group>
            <Progress
              value={(100 * points) / max}
              color={scaleColor((100 * points) / max)}
              aria-label={t.components[name]}
              size="sm"
            />
          </div>
        ))}
      </Stack>
      <Anchor size="sm" href="/docs/score" target="_blank" display="inline-block" mt="xs">
        {t.guide}
      </Anchor>
      {quality.capped && (
        <Text size="sm" mt="sm">
          {t.capped[quality.model]}
        </Text>
      )}
      {raises.length > 0 && (
        <>
          <Title order={3} size="h6" mt="md" mb="2xs">
            {t.raise}
          </Title>
          <Advice raises={raises.slice(0, FIRST)} />
          {raises.length > FIRST && (
            <details>
              <summary>{t.more(raises.length - FIRST)}</summary>
              <Advice raises={raises.slice(FIRST)} />
            </details>
          )}
        </>
      )}
    </FramedSection>
  );
}

function Advice({ raises }: { raises: Schemas['Quality']['components'][number]['raise'] }) {
  const t = decisionTexts.quality;
  return (
    <List size="sm" spacing="2xs">
      {raises.map(({ action, points }) => (
        <List.Item key={action}>
          {t.action(action)}{' '}
          <Text span size="sm" c="dimmed">
            +{Math.max(1, Math.round(points))}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
