import { Alert, Button, Group, Text } from '@mantine/core';
import type { MouseEvent } from 'react';
import { ComparisonTable } from '../../ui/list/comparison-table.tsx';
import { ChangedValue } from '../../ui/text/changed-value.tsx';
import type { DecisionBody } from '../decision-entries.ts';
import { type Decision, fieldName } from '../decision-words.ts';

/** Shows both versions if somebody else changed the decision during the edit, and lets the user choose. */
export function EditConflict(props: {
  base: Decision;
  body: DecisionBody;
  theirs: Decision;
  onTakeTheirs: () => void;
  onSaveMine: (event: MouseEvent<HTMLButtonElement>) => void;
}) {
  const { base, body, theirs, onTakeTheirs, onSaveMine } = props;
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
    field: fieldName(field),
    first: yours.has(field) ? (
      <ChangedValue value={yours.get(field)} />
    ) : (
      <Text size="sm" c="dimmed">
        not changed by you
      </Text>
    ),
    second: <ChangedValue value={after[field]} />,
  }));
  return (
    <Alert
      variant="outline"
      role="alert"
      title="Somebody else changed this decision while you were editing it"
    >
      <ComparisonTable label="Yours and theirs" sides={['Yours', 'Theirs']} rows={rows} />
      <Text size="sm" my="sm">
        Saving yours keeps their changes of other fields.
      </Text>
      <Group>
        <Button variant="default" onClick={onTakeTheirs}>
          Discard mine, take theirs
        </Button>
        <Button variant="default" onClick={onSaveMine}>
          Save mine over theirs
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
