import { Stack, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { useState } from 'react';
import { decisionTexts } from '../../texts/decision.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { list } from '../../texts/format.ts';
import { ChangesOnDemand } from '../../ui/list/changes-on-demand.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { ImportedBy } from '../../ui/text/imported-by.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { Section } from '../../ui/text/section.tsx';
import type { DecisionParts } from '../decision-query.ts';
import { fieldValue } from '../field-in-words.ts';
import { useDecisionPart } from './use-decision-part.ts';

type Entry = Schemas['DecisionHistoryEntry'];

/** Every version of a decision with its changes, latest first. */
export function DecisionHistory({ id, first }: { id: string; first: DecisionParts['history'] }) {
  const t = decisionPageTexts.history;
  const history = useDecisionPart(id, 'history', first);
  return (
    <Section title={t.title}>
      {history.isError && <ProblemAlert error={history.error} retry={history.refetch} />}
      <Stack gap="xs">
        {history.items.map((entry) => (
          <Version key={entry.version} entry={entry} />
        ))}
      </Stack>
      <LoadMore query={history} />
    </Section>
  );
}

function Version({ entry }: { entry: Entry }) {
  const t = decisionPageTexts.history;
  const { version, action, actor, changes, imported_by, created_at } = entry;
  const [isOpen, setOpen] = useState(false);
  const fields = Object.keys(changes);
  const values = Object.entries(changes).map(([field, { before, after }]) => [
    field,
    { before: fieldValue(field, before), after: fieldValue(field, after) },
  ]);
  return (
    <div>
      <Text size="sm">
        {t.happened(
          <strong>{t.version(version)}</strong>,
          action === 'create',
          actor.name,
          <Moment at={created_at} />,
        )}
        <ImportedBy author={imported_by} />
        {action === 'update' && `: ${list(fields.map(decisionTexts.field))}`}{' '}
        {fields.length > 0 && (
          <RowButton
            aria-expanded={isOpen}
            aria-label={t.compareOf(version)}
            onClick={() => setOpen(!isOpen)}
          >
            {t.compare}
          </RowButton>
        )}
      </Text>
      {isOpen && (
        <ChangesOnDemand
          label={t.compareOf(version)}
          changes={Object.fromEntries(values)}
          nameOf={decisionTexts.field}
        />
      )}
    </div>
  );
}
