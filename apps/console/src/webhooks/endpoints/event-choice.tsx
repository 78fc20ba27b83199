import { Box, Checkbox, Code, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { Loading } from '../../ui/loading.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { webhookKeys } from '../webhook-keys.ts';

/** Selects an endpoint's events from the catalogue. */
export function EventChoice(props: {
  value?: string[];
  onChange?: (events: string[]) => void;
  error?: string;
}) {
  const { id: workspaceId } = useWorkspace();
  const [wanted, setWanted] = useState('');
  const catalogue = useQuery({
    queryKey: webhookKeys.eventTypes(workspaceId),
    queryFn: () => unwrap(api.GET('/webhooks/event-types', { params: { query: { workspaceId } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (catalogue.isError) return <ProblemAlert error={catalogue.error} />;
  if (!catalogue.data) return <Loading label="Loading the events" />;
  const types = catalogue.data.data.filter(({ subscribable }) => subscribable);
  const words = wanted.toLowerCase();
  const shown = types.filter(({ type, summary }) => `${type} ${summary}`.toLowerCase().includes(words));
  return (
    <Checkbox.Group
      label="Events"
      description={`${props.value?.length ?? 0} of ${types.length} chosen`}
      withAsterisk
      value={props.value ?? []}
      onChange={(events) => props.onChange?.(events)}
      error={props.error}
    >
      <TextInput
        aria-label="Find an event"
        placeholder="Find an event"
        error={Boolean(props.error)}
        my="xs"
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <Box mah={260} style={{ overflowY: 'auto' }}>
        {shown.length === 0 && <Text size="sm">No events match.</Text>}
        {shown.map(({ type, summary }) => (
          <Checkbox
            key={type}
            value={type}
            my="xs"
            label={
              <Group gap="xs" component="span">
                <Code>{type}</Code>
                <span>{summary}</span>
              </Group>
            }
          />
        ))}
      </Box>
    </Checkbox.Group>
  );
}
