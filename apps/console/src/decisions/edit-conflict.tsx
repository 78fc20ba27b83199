import { Alert, Button, Group, Table, Text } from '@mantine/core';
import { ChangedValue } from '../ui/changed-value.tsx';
import type { DecisionBody } from './decision-entries.ts';
import { type Decision, fieldName } from './decision-words.ts';

/** Somebody else changed the decision while it was edited: both versions, and which of them is to stay. */
export function EditConflict(props: {
  base: Decision;
  body: DecisionBody;
  theirs: Decision;
  onTakeTheirs: () => void;
}) {
  const { base, body, theirs, onTakeTheirs } = props;
  const yours = new Map<string, unknown>(
    Object.entries(body).map(([field, value]) => [snakeCase(field), value]),
  );
  const before: Record<string, unknown> = { ...base };
  const after: Record<string, unknown> = { ...theirs };
  const changedByThem = Object.keys(after).filter(
    (field) => !BOOKKEEPING.has(field) && !isSame(before[field], after[field]),
  );
  const fields = [...new Set([...yours.keys(), ...changedByThem])];
  return (
    <Alert
      variant="outline"
      mb="md"
      role="alert"
      title="Somebody else changed this decision while you were editing it"
    >
      <Table.ScrollContainer minWidth={480}>
        <Table aria-label="Yours and theirs" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={140}>Field</Table.Th>
              <Table.Th>Yours</Table.Th>
              <Table.Th>Theirs</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((field) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">{fieldName(field)}</Table.Th>
                <Table.Td>
                  {yours.has(field) ? (
                    <ChangedValue value={yours.get(field)} />
                  ) : (
                    <Text size="sm" c="dimmed">
                      not changed by you
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <ChangedValue value={after[field]} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="sm" my="sm">
        Saving yours, below, keeps what they changed in other fields.
      </Text>
      <Group>
        <Button variant="default" onClick={onTakeTheirs}>
          Discard mine, take theirs
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
