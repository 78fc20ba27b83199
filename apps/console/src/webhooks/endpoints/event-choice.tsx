import { Box, Checkbox, Code, Fieldset, Input, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { wordsTexts } from '../../texts/words.ts';
import { Loading } from '../../ui/loading.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';

/** Selects an endpoint's events from the catalogue. */
export function EventChoice(props: {
  hint?: string | undefined;
  value?: string[];
  onChange?: (events: string[]) => void;
  error?: string;
}) {
  const t = webhooksTexts.events;
  const { id: workspaceId } = useWorkspace();
  const [wanted, setWanted] = useState('');
  const catalogue = useQuery({
    queryKey: [...queryKeys.webhooks(workspaceId), 'event-types'],
    changesWith: [],
    queryFn: () => api.get('/webhooks/event-types', { workspaceId }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (catalogue.isError) return <ProblemAlert error={catalogue.error} />;
  if (!catalogue.data) return <Loading label={t.loading} />;
  const types = catalogue.data.data
    .filter(({ subscribable }) => subscribable)
    .map(({ type, summary }) => ({ type, summary: t.summary(type, summary) }));
  const words = wanted.toLowerCase();
  const shown = types.filter(({ type, summary }) => `${type} ${summary}`.toLowerCase().includes(words));
  const groups = Map.groupBy(shown, ({ type }) => kindOf(type));
  const { value = [], onChange, error } = props;
  const choose = (some: string[], isChosen: boolean) => {
    const others = value.filter((type) => !some.includes(type));
    onChange?.(isChosen ? [...others, ...some] : others);
  };
  return (
    <Input.Wrapper
      label={t.title}
      labelElement="div"
      description={t.chosen(value.length, types.length)}
      withAsterisk
      error={error}
      role="group"
      aria-label={t.title}
    >
      <TextInput
        aria-label={t.find}
        placeholder={t.find}
        error={Boolean(error)}
        my="xs"
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      {props.hint && (
        <Text size="sm" mb="xs">
          {props.hint}
        </Text>
      )}
      <Box mah={260} style={{ overflowY: 'auto' }}>
        {shown.length === 0 && <Text size="sm">{t.noMatch}</Text>}
        {[...groups].map(([group, events]) => (
          <EventGroup key={group} name={group} events={events} chosen={value} choose={choose} />
        ))}
      </Box>
    </Input.Wrapper>
  );
}

/** The events of one kind of record, and a checkbox for all of them. */
function EventGroup(props: {
  name: string;
  events: { type: string; summary: string }[];
  chosen: string[];
  choose: (types: string[], isChosen: boolean) => void;
}) {
  const { name, events, chosen, choose } = props;
  const types = events.map(({ type }) => type);
  const count = types.filter((type) => chosen.includes(type)).length;
  return (
    <Fieldset
      variant="unstyled"
      mb="sm"
      legend={wordsTexts.kind(name)}
      styles={{ legend: { fontWeight: 600 } }}
    >
      <Checkbox
        my="xs"
        label={webhooksTexts.events.allOf(types.length)}
        checked={count === types.length}
        indeterminate={count > 0 && count < types.length}
        onChange={(event) => choose(types, event.currentTarget.checked)}
      />
      {events.map(({ type, summary }) => (
        <Checkbox
          key={type}
          my="xs"
          ms="lg"
          checked={chosen.includes(type)}
          onChange={(event) => choose([type], event.currentTarget.checked)}
          label={
            <>
              <Code>{type}</Code> {summary}
            </>
          }
        />
      ))}
    </Fieldset>
  );
}

/** The kind of record that an event is about: `nodes.created` and `node.created` are about the same. */
function kindOf(type: string): string {
  return type.split('.')[0]!.replace(/s$/, '');
}
