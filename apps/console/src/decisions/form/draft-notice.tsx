import { Alert, Button, Group, Text } from '@mantine/core';
import { Moment } from '../../ui/text/moment.tsx';

/** Says that the form begins with a draft, and if it began with an older version of the decision. */
export function DraftNotice(props: { at: number; version?: number; isOutdated?: boolean }) {
  const { at, version, isOutdated = false } = props;
  const when = <Moment at={new Date(at).toISOString()} />;
  if (!isOutdated) {
    return (
      <Text size="sm" c="dimmed">
        This is your draft of {when}.
      </Text>
    );
  }
  return (
    <Alert variant="outline" title="The decision has changed since you began this draft" role="status">
      Your draft of {when} began with version {version}. Saving it shows both versions, and you choose.
    </Alert>
  );
}

/** Says quietly whether this browser keeps what is typed. */
export function DraftState({ state, discard }: { state: 'none' | 'kept' | 'failed'; discard: () => void }) {
  return (
    <Group gap="xs" mih={28}>
      <Text size="sm" c="dimmed" role="status">
        {state === 'kept' && 'Draft kept'}
        {state === 'failed' && 'This browser keeps no draft of this form'}
      </Text>
      {state === 'kept' && (
        <Button variant="subtle" size="compact-sm" color="var(--mantine-color-text)" onClick={discard}>
          Discard draft
        </Button>
      )}
    </Group>
  );
}
