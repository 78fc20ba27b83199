import { Alert, Button, Group } from '@mantine/core';
import { decisionTexts as decision } from '../../texts/decision.ts';
import { decisionFormTexts } from '../../texts/decision-form.ts';
import { Hint } from '../../ui/text/hint.ts';
import { Moment } from '../../ui/text/moment.tsx';

/** Says that the form begins with a draft, and if it began with an older version of the decision. */
export function DraftNotice(props: { at: number; version?: number; isOutdated?: boolean }) {
  const t = decisionFormTexts.draft;
  const { at, version = 1, isOutdated = false } = props;
  const when = <Moment at={new Date(at).toISOString()} />;
  if (!isOutdated) {
    return <Hint>{t.from(when)}</Hint>;
  }
  return (
    <Alert variant="outline" title={t.outdated} role="status">
      {t.outdatedHint(when, version)}
    </Alert>
  );
}

/** Says quietly whether this browser keeps the input. */
export function DraftState({ state, discard }: { state: 'none' | 'kept' | 'failed'; discard: () => void }) {
  const t = decisionFormTexts.draft;
  return (
    <Group gap="xs" mih={28}>
      <Hint role="status">
        {state === 'kept' && t.kept}
        {state === 'failed' && t.failed}
      </Hint>
      {state === 'kept' && (
        <Button variant="subtle" size="compact-sm" color="var(--mantine-color-text)" onClick={discard}>
          {decision.discardDraft}
        </Button>
      )}
    </Group>
  );
}
