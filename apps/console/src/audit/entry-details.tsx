import { Code, Stack, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { ChangesTable } from '../ui/list/comparison-table.tsx';

/** A complete entry: the change with before and after, and its origin. */
export function EntryDetails({ entry }: { entry: Schemas['AuditEntry'] }) {
  const isUnchanged = Object.keys(entry.changes ?? {}).length === 0;
  const facts = [
    ['Request', entry.request_id],
    ['Address', entry.ip],
    ['Program', entry.user_agent],
    ['Hash', entry.hash],
    ['Hash before', entry.prev_hash],
  ] as const;
  return (
    <Stack gap="sm" py="xs">
      {isUnchanged ? (
        <Text size="sm" c="dimmed">
          {entry.details_salt === null ? 'Its details were erased.' : 'No field was changed.'}
        </Text>
      ) : (
        <ChangesTable label="What changed" changes={entry.changes ?? {}} />
      )}
      {facts.map(([label, value]) => (
        <Text key={label} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {label}: {value === null ? 'none' : <Code>{value}</Code>}
        </Text>
      ))}
    </Stack>
  );
}
