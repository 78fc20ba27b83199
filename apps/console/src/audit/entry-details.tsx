import { Code, Stack, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { ChangesTable } from '../ui/list/comparison-table.tsx';

type AuditEntry = Schemas['AuditEntry'];

const WITHHELD = 'shown to admins and owners';

/** Formats `expected_by` as "Expected by". */
const fieldInWords = (field: string) => field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ');

/** A complete entry: the change with before and after, and its origin. */
export function EntryDetails({ entry }: { entry: AuditEntry }) {
  const lacks = (field: 'ip' | 'user_agent') => (entry.withheld?.includes(field) ? WITHHELD : 'none');
  const isUnchanged = Object.keys(entry.changes ?? {}).length === 0;
  const facts = [
    ['Request', entry.request_id, 'none'],
    ['Address', entry.ip, lacks('ip')],
    ['Program', entry.user_agent, lacks('user_agent')],
    ['Hash', entry.hash, 'none'],
    ['Hash before', entry.prev_hash, 'none'],
  ] as const;
  return (
    <Stack gap="sm" py="xs">
      {isUnchanged ? (
        <Text size="sm" c="dimmed">
          {whyUnchanged(entry)}
        </Text>
      ) : (
        <ChangesTable label="What changed" changes={entry.changes ?? {}} nameOf={fieldInWords} />
      )}
      {facts.map(([label, value, absent]) => (
        <Text key={label} size="sm">
          {label}: {value === null ? absent : <Code>{value}</Code>}
        </Text>
      ))}
    </Stack>
  );
}

function whyUnchanged({ erasure, withheld }: AuditEntry): string {
  if (erasure) return 'Its details were erased.';
  return withheld?.includes('changes') ? `What changed is ${WITHHELD}.` : 'No field was changed.';
}
