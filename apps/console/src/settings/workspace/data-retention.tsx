import { Text } from '@mantine/core';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';
import { useAuditFacets } from '../../workspace/audit-facets.ts';
import { Setting, SettingFooter } from '../setting.tsx';

/** Says how long the workspace's audit log is kept; only the operator can change it. */
export function DataRetention() {
  const t = workspaceSettingsTexts.retention;
  const facets = useAuditFacets();
  if (!facets) return null;
  const { retention_days: days } = facets;
  return (
    <Setting id="data-retention" title={t.title}>
      <Text size="sm">
        {days === null ? t.unlimited : t.days(days)} {t.others}
      </Text>
      <SettingFooter hint={t.hint} />
    </Setting>
  );
}
