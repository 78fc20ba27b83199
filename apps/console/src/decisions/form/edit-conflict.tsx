import { Alert, Button, Group, Text } from '@mantine/core';
import type { MouseEvent } from 'react';
import { decisionTexts } from '../../texts/decision.ts';
import { decisionFormTexts } from '../../texts/decision-form.ts';
import { ComparisonTable } from '../../ui/list/comparison-table.tsx';
import { ChangedValue } from '../../ui/text/changed-value.tsx';
import { Hint } from '../../ui/text/hint.ts';
import type { DecisionBody } from '../decision-entries.ts';
import type { Decision } from '../decision-words.ts';
import { fieldValue } from '../field-in-words.ts';

/** Shows both versions if somebody else changed the decision during the edit, and lets the user choose. */
export function EditConflict(props: {
  base: Decision;
  body: DecisionBody;
  theirs: Decision;
  /** Who changed it last. */
  by: string | null;
  onTakeTheirs: () => void;
  onSaveMine: (event: MouseEvent<HTMLButtonElement>) => void;
}) {
  const t = decisionFormTexts.conflict;
  const { base, body, theirs, by, onTakeTheirs, onSaveMine } = props;
  const yours = new Map<string, unknown>(
    Object.entries(body).map(([field, value]) => [snakeCase(field), value]),
  );
  const before: Record<string, unknown> = { ...base };
  const after: Record<string, unknown> = { ...theirs };
  const changedByThem = Object.keys(after).filter(
    (field) => !BOOKKEEPING.has(field) && !isSame(before[field], after[field]),
  );
  const fields = [...new Set([...yours.keys(), ...changedByThem])];
  const rows = fields.map((field) => ({
    field: decisionTexts.field(field),
    first: yours.has(field) ? (
      <ChangedValue value={fieldValue(field, yours.get(field))} />
    ) : (
      <Hint>{t.unchanged}</Hint>
    ),
    second: <ChangedValue value={fieldValue(field, after[field])} />,
  }));
  return (
    <Alert variant="outline" role="alert" title={t.title(by)}>
      <ComparisonTable label={t.table} sides={t.sides} rows={rows} />
      <Text size="sm" my="sm">
        {t.hint}
      </Text>
      <Group>
        <Button variant="default" onClick={onTakeTheirs}>
          {t.takeTheirs}
        </Button>
        <Button variant="default" onClick={onSaveMine}>
          {t.saveMine}
        </Button>
      </Group>
    </Alert>
  );
}

const BOOKKEEPING = new Set(['version', 'updated_at', 'quality_score']);

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
