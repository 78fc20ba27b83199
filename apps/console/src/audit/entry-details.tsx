import { Code, Stack, Table, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { ChangedValue } from '../ui/changed-value.tsx';

/** All of an entry: what changed, before and after, and where it came from. */
export function EntryDetails({ entry }: { entry: Schemas['AuditEntry'] }) {
  const changes = Object.entries(entry.changes ?? {});
  const facts = [
    ['Request', entry.request_id],
    ['Address', entry.ip],
    ['Program', entry.user_agent],
    ['Hash', entry.hash],
    ['Hash before', entry.prev_hash],
  ] as const;
  return (
    <Stack gap="sm" py="xs">
      {changes.length === 0 ? (
        <Text size="sm" c="dimmed">
          {entry.details_salt === null ? 'Its details were erased.' : 'No field was changed.'}
        </Text>
      ) : (
        <Table withTableBorder layout="fixed" aria-label="What changed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={160}>Field</Table.Th>
              <Table.Th>Before</Table.Th>
              <Table.Th>After</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map(([field, { before, after }]) => (
              <Table.Tr key={field}>
                <Table.Th scope="row" style={{ overflowWrap: 'anywhere' }}>
                  {field}
                </Table.Th>
                <Table.Td>
                  <ChangedValue value={before} />
                </Table.Td>
                <Table.Td>
                  <ChangedValue value={after} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {facts.map(([label, value]) => (
        <Text key={label} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {label}: {value === null ? 'none' : <Code>{value}</Code>}
        </Text>
      ))}
    </Stack>
  );
}
