import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useWorkspace } from '../session/use-workspace.ts';
import { confirmDestruction } from '../ui/dialog/confirm.tsx';
import { SecretOnce } from '../ui/dialog/secret-once.tsx';
import { notifyDone, notifyProblem } from '../ui/notify.tsx';
import { Section } from './section.tsx';

/** Shows or revokes the user's address of the calendar of expected outcomes. */
export function CalendarFeed() {
  const { id: workspaceId } = useWorkspace();
  const [url, setUrl] = useState<string | null>(null);
  const create = useMutation({
    mutationFn: () => unwrap(api.POST('/decisions/calendar-token', { body: { workspaceId } })),
    onSuccess: (feed) => setUrl(feed.url ?? null),
    onError: notifyProblem,
  });
  const revoke = useMutation({
    mutationFn: () => unwrap(api.DELETE('/decisions/calendar-token', { params: { query: { workspaceId } } })),
    onSuccess: () => {
      setUrl(null);
      notifyDone('The address no longer works.');
    },
    onError: notifyProblem,
  });
  const ask = () =>
    confirmDestruction({
      title: 'Revoke your calendar feed?',
      consequence: 'Calendars with this address get no more updates.',
      act: 'End feed',
      onConfirm: () => revoke.mutate(),
    });
  return (
    <Section
      title="Calendar feed"
      about="Shows overdue and expected outcomes in your own calendar program, which subscribes to a private address. A new address replaces the previous one, and a new password ends it."
    >
      {url === null ? (
        <Group gap="xs">
          <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
            New address
          </Button>
          <Button variant="default" loading={revoke.isPending} onClick={ask}>
            End feed
          </Button>
        </Group>
      ) : (
        <>
          <SecretOnce
            label="address"
            secret={url}
            note="Anyone with this address can read the titles of this workspace's due decisions."
            onDone={() => setUrl(null)}
          />
          <Text size="xs" c="dimmed" mt="xs">
            In most calendar programs: add a calendar, from an address (URL).
          </Text>
        </>
      )}
    </Section>
  );
}
