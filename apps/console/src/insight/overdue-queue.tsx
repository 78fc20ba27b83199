import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { sentence } from '../texts/format.ts';
import { insightTexts } from '../texts/insight.ts';
import { wordsTexts as words } from '../texts/words.ts';
import { TextLink } from '../ui/links.tsx';
import { DataTable } from '../ui/list/data-table.tsx';
import { PagedList } from '../ui/list/paged-list.tsx';
import { usePaged } from '../ui/list/use-paged.ts';
import { dayInWords } from '../ui/text/day.ts';
import { Hint } from '../ui/text/hint.ts';
import { Section } from '../ui/text/section.tsx';
import { useChange } from '../ui/use-change.ts';
import { readDecisions } from '../workspace/read-decisions.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';

const PAGE = 25;

/** The overdue decisions, longest overdue first. */
export function OverdueQueue() {
  const t = insightTexts.overdue;
  const { id: workspaceId, may } = useWorkspace();
  const overdue = usePaged({
    queryKey: [...queryKeys.decisions(workspaceId), 'overdue'],
    changesWith: ['decision.*', 'decisions.*'],
    isSecondary: true,
    fetchPage: (at) => readDecisions({ workspaceId, overdue: true, sort: 'expected_by', limit: PAGE, ...at }),
  });
  return (
    <Section title={t.title} about={t.about}>
      <PagedList isLive query={overdue} empty={<Text size="sm">{t.none}</Text>}>
        {(items) => (
          <DataTable
            columns={[t.decision, t.expectedBy, ...(may('member') ? [t.outcome] : [])]}
            minWidth={560}
            label={t.table}
          >
            {items.map((decision) => (
              <tr key={decision.id}>
                <td>
                  <TextLink
                    size="sm"
                    to="/w/$workspaceId/decisions/$decisionId"
                    params={{ workspaceId, decisionId: decision.id }}
                  >
                    {decision.title}
                  </TextLink>
                </td>
                <td style={{ whiteSpace: 'nowrap' }}>
                  {decision.expected_by && dayInWords(decision.expected_by)}
                </td>
                {may('member') && (
                  <td>
                    {decision.status === 'proposed' ? (
                      <Hint>{t.undecided}</Hint>
                    ) : (
                      <OutcomeChoice id={decision.id} title={decision.title} />
                    )}
                  </td>
                )}
              </tr>
            ))}
          </DataTable>
        )}
      </PagedList>
    </Section>
  );
}

type Outcome = NonNullable<Schemas['DecisionUpdate']['outcome']>;

const OUTCOMES: Outcome[] = ['success', 'partial', 'failure', 'abandoned'];

/** Logs a decision's outcome in the queue; notes can be added on the decision's page. */
function OutcomeChoice({ id, title }: { id: string; title: string }) {
  const t = insightTexts.overdue;
  const { id: workspaceId } = useWorkspace();
  const [outcome, setOutcome] = useState<Outcome | ''>('');
  const log = useChange({
    mutationFn: (body: { outcome: Outcome }) => api.patch('/decisions/{id}', { id, workspaceId, body }),
    changes: [queryKeys.metrics(workspaceId), queryKeys.decisions(workspaceId)],
    done: t.logged(title),
  });
  return (
    <Group gap="xs" wrap="nowrap" miw={190}>
      <NativeSelect
        size="xs"
        aria-label={t.outcomeOf(title)}
        data={[
          { value: '', label: t.choose, disabled: true },
          ...OUTCOMES.map((value) => ({ value, label: sentence(words.outcome[value]) })),
        ]}
        value={outcome}
        onChange={(event) => setOutcome(event.currentTarget.value as Outcome)}
      />
      <Button
        size="xs"
        variant="default"
        disabled={outcome === ''}
        loading={log.isPending}
        aria-label={t.logOf(title)}
        onClick={() => outcome && log.mutate({ outcome })}
      >
        {t.log}
      </Button>
    </Group>
  );
}
