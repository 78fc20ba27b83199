import { Stack, Text, Title } from '@mantine/core';
import { useAuditFacets } from '../../session/audit-facets.ts';

/** Says how long the workspace's audit log is kept; only the operator can change it. */
export function DataRetention() {
  const facets = useAuditFacets();
  if (!facets) return null;
  const { retention_days: days } = facets;
  return (
    <Stack component="section" aria-labelledby="data-retention" gap="xs">
      <Title order={2} size="h4" id="data-retention">
        Data retention
      </Title>
      <Text size="sm">
        {days === null
          ? 'Entries of the audit log are kept for as long as the workspace exists.'
          : `Entries of the audit log are removed after ${days} ${days === 1 ? 'day' : 'days'}.`}{' '}
        The operator of this installation sets this (AUDIT_RETENTION_DAYS). Finished webhook deliveries are
        removed after 30 days, unless the operator has set another time. Decisions, workflows and messages
        stay until somebody deletes them.
      </Text>
    </Stack>
  );
}
