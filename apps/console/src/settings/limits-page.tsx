import { Group, NativeSelect, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { useState } from 'react';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { number } from '../texts/format.ts';
import { limitsTexts as t } from '../texts/limits.ts';
import { settingsTexts as settings } from '../texts/settings.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import '../ui/chart/chart.css';
import { DataTable } from '../ui/list/data-table.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { Moment } from '../ui/text/moment.tsx';

type BucketUse = Schemas['RateLimitUse']['workspace']['read'];

const REFRESH_MS = 15_000;
const MINUTE_MS = 60_000;
const WINDOWS = 60;
const HEIGHT = 28;
/** From this share of a limit on, the value is highlighted. */
const NEAR = 0.8;
const TIERS = ['workspace', 'key', 'session'] as const;
const BUCKETS = ['read', 'mutation', 'export'] as const;

/** The use of the rate limits over the last hour: by the workspace, by one key, and by the user. */
export function LimitsPage() {
  const { id: workspaceId, has } = useWorkspace();
  const [keyId, setKeyId] = useState('');
  const keys = useQuery({
    queryKey: [...queryKeys.apiKeys(workspaceId), 'to-choose'],
    changesWith: ['api_key.*'],
    queryFn: () => api.get('/api-keys', { workspaceId, limit: limits.pageSizeMax }),
    enabled: has('api_keys'),
  });
  const use = useQuery({
    queryKey: [...queryKeys.rateLimits(workspaceId), keyId],
    changesWith: [],
    queryFn: () => api.get('/rate-limits', { workspaceId, ...(keyId && { keyId }) }),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });
  const choices = (keys.data?.data ?? []).map(({ id, name, key_prefix }) => ({
    value: id,
    label: `${name} (${key_prefix}…)`,
  }));
  return (
    <Page title={settings.limits}>
      <QueryState query={use} />
      {use.data && (
        <Stack gap="md">
          <Text size="sm">{t.about(<Moment at={use.data.resets_at} precision="second" />)}</Text>
          {choices.length > 0 && (
            <NativeSelect
              label={t.oneKey}
              maw={360}
              data={[{ value: '', label: t.chooseKey }, ...choices]}
              value={keyId}
              onChange={(event) => setKeyId(event.currentTarget.value)}
            />
          )}
          <DataTable columns={t.columns} minWidth={720} label={settings.limits}>
            {TIERS.flatMap((tier) =>
              BUCKETS.map((bucket) => {
                const one = use.data[tier]?.[bucket];
                const name = `${t.buckets[bucket]}: ${t.tiers[tier]}`;
                return one && <BucketRow key={name} name={name} use={one} resetsAt={use.data.resets_at} />;
              }),
            )}
          </DataTable>
        </Stack>
      )}
    </Page>
  );
}

function BucketRow({ name, use, resetsAt }: { name: string; use: BucketUse; resetsAt: string }) {
  const current = Date.parse(resetsAt) - MINUTE_MS;
  const past = new Map(use.past.map(({ at, used }) => [Date.parse(at), used]));
  const minutes = Array.from({ length: WINDOWS }, (_, i) => {
    const at = current - (WINDOWS - 1 - i) * MINUTE_MS;
    return at === current ? use.used : (past.get(at) ?? 0);
  });
  const most = Math.max(...minutes);
  const isUsedUp = use.used >= use.limit;
  return (
    <tr>
      <td>{name}</td>
      <td>
        <Group justify="space-between" wrap="nowrap" mb="2xs">
          {t.usedOf(use.used, use.limit)}
          {isUsedUp && <StatusBadge color="red">{t.usedUp}</StatusBadge>}
        </Group>
        <Progress
          value={Math.min(100, (use.used / use.limit) * 100)}
          {...(isUsedUp && { color: 'red' })}
          aria-label={t.usedThisMinute(name)}
        />
      </td>
      <td>{number(most)}</td>
      <td>{number(minutes.reduce((sum, used) => sum + used, 0))}</td>
      <td>{most > 0 && <Sparkline values={minutes} limit={use.limit} />}</td>
    </tr>
  );
}

/** A bar for each minute, as high as its share of the limit, which is the dashed line. */
function Sparkline({ values, limit }: { values: number[]; limit: number }) {
  const heightOf = (value: number) => Math.max(1, HEIGHT * Math.min(1, value / limit));
  const barsOf = (isNear: boolean) =>
    values
      .map((value, at) =>
        value > 0 && value > limit * NEAR === isNear ? `M${4 * at} ${HEIGHT}h3v${-heightOf(value)}h-3z` : '',
      )
      .join('');
  return (
    <svg className="chart sparkline" viewBox={`0 0 ${4 * WINDOWS} ${HEIGHT}`} aria-hidden="true">
      <path className="limit" d={`M0 .5h${4 * WINDOWS}`} />
      <path data-mark="main" d={barsOf(false)} />
      <path data-mark="near" d={barsOf(true)} />
    </svg>
  );
}
