import { Group, Stack, Text, Title } from '@mantine/core';
import { api, unwrap } from '../../api/client.ts';
import { decisionPageTexts as t } from '../../texts/decision-page.ts';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { usePagesAfter } from '../../ui/list/use-paged.ts';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { ImportedBy } from '../../ui/text/imported-by.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { DecisionOutcome } from '../decision-badges.tsx';
import { decisionKeys } from '../decision-keys.ts';
import type { DecisionParts } from '../decision-query.ts';

/** Every logged outcome, latest first; renders nothing without one. */
export function DecisionOutcomes({ id, first }: { id: string; first: DecisionParts['outcomes'] }) {
  const { id: workspaceId } = useWorkspace();
  const outcomes = usePagesAfter(first, {
    queryKey: [...decisionKeys.one(workspaceId, id), 'outcomes'],
    changesWith: ['decision.*'],
    about: id,
    fetchPage: (at) => {
      const params = { path: { id }, query: { workspaceId, limit: 20, ...at } };
      return unwrap(api.GET('/decisions/{id}/outcomes', { params }));
    },
  });
  if (outcomes.items.length === 0) return null;
  return (
    <section aria-labelledby="outcomes">
      <Title order={2} size="h4" id="outcomes" mb="xs">
        {t.outcomes}
      </Title>
      <Stack gap="xs">
        {outcomes.items.map(({ id: recordId, outcome, notes, imported_by, logged_at }) => (
          <div key={recordId}>
            <Group gap="xs">
              <DecisionOutcome outcome={outcome} />
              <Text size="sm" c="dimmed">
                <Moment at={logged_at} />
                <ImportedBy author={imported_by} />
              </Text>
            </Group>
            {notes && <Markdown size="sm">{notes}</Markdown>}
          </div>
        ))}
      </Stack>
      {outcomes.isError && <ProblemAlert error={outcomes.error} retry={outcomes.refetch} />}
      <LoadMore query={outcomes} />
    </section>
  );
}
