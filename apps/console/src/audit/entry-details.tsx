import { Code, Stack, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { auditTexts as t } from '../texts/audit.ts';
import { wordsTexts } from '../texts/words.ts';
import { ChangesTable } from '../ui/list/comparison-table.tsx';

type AuditEntry = Schemas['AuditEntry'];

function fieldInWords(field: string): string {
  const name = wordsTexts.field(field);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A complete entry: the change with before and after, and its origin. */
export function EntryDetails({ entry }: { entry: AuditEntry }) {
  const lacks = (field: 'ip' | 'user_agent') => (entry.withheld?.includes(field) ? t.withheld : t.none);
  const isUnchanged = Object.keys(entry.changes ?? {}).length === 0;
  const facts = [
    [t.recordId, entry.resource_id, t.none],
    [t.request, entry.request_id, t.none],
    [t.address, entry.ip, lacks('ip')],
    [t.program, entry.user_agent, lacks('user_agent')],
    [t.hash, entry.hash, t.none],
    [t.hashBefore, entry.prev_hash, t.none],
  ] as const;
  return (
    <Stack gap="sm" py="xs">
      {isUnchanged ? (
        <Text size="sm" c="dimmed">
          {whyUnchanged(entry)}
        </Text>
      ) : (
        <ChangesTable label={t.changes} changes={entry.changes ?? {}} nameOf={fieldInWords} />
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
  if (erasure) return t.changesErased;
  return withheld?.includes('changes') ? t.changesWithheld : t.unchanged;
}
