import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { insightTexts } from '../texts/insight.ts';
import { confirmDestruction } from '../ui/dialog/confirm.tsx';
import { SecretOnce } from '../ui/dialog/secret-once.tsx';
import { Section } from '../ui/text/section.tsx';
import { useChange } from '../ui/use-change.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';

/** Shows or revokes the user's address of the calendar of expected outcomes. */
export function CalendarFeed({ feed }: { feed: Schemas['CalendarFeed'] | null }) {
  const t = insightTexts.calendar;
  const { id: workspaceId } = useWorkspace();
  const [url, setUrl] = useState<string | null>(null);
  const changes = [queryKeys.metrics(workspaceId)];
  const create = useChange({
    mutationFn: () => api.post('/decisions/calendar-token', { body: { workspaceId } }),
    changes,
    onSuccess: (made) => setUrl(made.url ?? null),
  });
  const revoke = useChange({
    mutationFn: () => api.delete('/decisions/calendar-token', { workspaceId }),
    changes,
    done: t.ended,
    onSuccess: () => setUrl(null),
  });
  const ask = () =>
    confirmDestruction({
      title: t.endTitle,
      consequence: t.endConsequence,
      act: t.end,
      onConfirm: () => revoke.mutate(),
    });
  return (
    <Section title={t.title} about={t.about}>
      {url === null ? (
        <Group gap="xs">
          <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
            {t.newAddress}
          </Button>
          {feed && (
            <Button variant="default" loading={revoke.isPending} onClick={ask}>
              {t.end}
            </Button>
          )}
        </Group>
      ) : (
        <>
          <SecretOnce label={t.address} secret={url} note={t.addressNote} onDone={() => setUrl(null)} />
          <Text size="xs" c="dimmed" mt="xs">
            {t.addressHint}
          </Text>
        </>
      )}
    </Section>
  );
}
