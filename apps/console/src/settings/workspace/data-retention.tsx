import { Stack, Text, Title } from '@mantine/core';
import { useAuditFacets } from '../../session/audit-facets.ts';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';

/** Says how long the workspace's audit log is kept; only the operator can change it. */
export function DataRetention() {
  const t = workspaceSettingsTexts.retention;
  const facets = useAuditFacets();
  if (!facets) return null;
  const { retention_days: days } = facets;
  return (
    <Stack component="section" aria-labelledby="data-retention" gap="xs">
      <Title order={2} size="h4" id="data-retention">
        {t.title}
      </Title>
      <Text size="sm">
        {days === null ? t.unlimited : t.days(days)} {t.hint}
      </Text>
    </Stack>
  );
}
