import { Group, NativeSelect, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from '../session/use-workspace.ts';
import { locale } from '../texts/language.ts';
import { limitsTexts as t } from '../texts/limits.ts';
import { settingsTexts as settings } from '../texts/settings.ts';
import { BarChart, type Series } from '../ui/chart/bar-chart.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { Moment } from '../ui/text/moment.tsx';

type Use = Schemas['RateLimitUse'];
type BucketUse = Use['workspace']['read'];

const REFRESH_MS = 15_000;
const WINDOWS = 60;
/** From this share of a limit on, the value is highlighted. */
const NEAR = 0.8;
const MINUTE = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const BUCKETS = ['read', 'mutation', 'export'] as const;

/** The use of the rate limits over the last hour: by the workspace, by one key, and by the user. */
export function LimitsPage() {
  const { id: workspaceId, has } = useWorkspace();
  const [keyId, setKeyId] = useState('');
  const keys = useQuery({
    queryKey: [...queryKeys.apiKeys(workspaceId), 'to-choose'],
    changesWith: ['api_key.*'],
    queryFn: () =>
      unwrap(api.GET('/api-keys', { params: { query: { workspaceId, limit: limits.pageSizeMax } } })),
    enabled: has('api_keys'),
  });
  const use = useQuery({
    queryKey: [...queryKeys.rateLimits(workspaceId), keyId],
    changesWith: [],
    queryFn: () =>
      unwrap(api.GET('/rate-limits', { params: { query: { workspaceId, ...(keyId && { keyId }) } } })),
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
        <Stack gap="xl">
          <Text size="sm">{t.about(<Moment at={use.data.resets_at} precision="second" />)}</Text>
          <Tier title={t.workspace} tier={use.data.workspace} resetsAt={use.data.resets_at} />
          {choices.length > 0 && (
            <NativeSelect
              label={t.oneKey}
              maw={360}
              data={[{ value: '', label: t.chooseKey }, ...choices]}
              value={keyId}
              onChange={(event) => setKeyId(event.currentTarget.value)}
            />
          )}
          {use.data.key && <Tier title={t.key} tier={use.data.key} resetsAt={use.data.resets_at} />}
          {use.data.session && (
            <Tier title={t.session} tier={use.data.session} resetsAt={use.data.resets_at} />
          )}
        </Stack>
      )}
    </Page>
  );
}

function Tier(props: { title: string; tier: Use['workspace']; resetsAt: string }) {
  return (
    <section aria-label={props.title}>
      <Title order={2} size="h4" mb="xs">
        {props.title}
      </Title>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        {BUCKETS.map((bucket) => {
          const use = props.tier[bucket];
          return use && <Bucket key={bucket} label={t.buckets[bucket]} use={use} resetsAt={props.resetsAt} />;
        })}
      </SimpleGrid>
    </section>
  );
}

function Bucket({ label, use, resetsAt }: { label: string; use: BucketUse; resetsAt: string }) {
  const series: Series[] = [
    { name: t.used, mark: 'main' },
    { name: t.nearLimit, mark: 'bad' },
  ];
  const past = new Map(use.past.map(({ at, used }) => [Date.parse(at), used]));
  const current = Date.parse(resetsAt) - 60_000;
  const bars = Array.from({ length: WINDOWS }, (_, i) => {
    const at = current - (WINDOWS - 1 - i) * 60_000;
    const used = at === current ? use.used : (past.get(at) ?? 0);
    const isNear = used > use.limit * NEAR;
    return { at, label: MINUTE.format(at), tick: MINUTE.format(at), values: isNear ? [0, used] : [used, 0] };
  });
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" mb="xs">
        <Text fw={600}>{label}</Text>
        {use.used >= use.limit && <StatusBadge color="red">{t.usedUp}</StatusBadge>}
      </Group>
      <Text size="sm">{t.usedOf(use.used, use.limit)}</Text>
      <Progress
        value={Math.min(100, (use.used / use.limit) * 100)}
        my="xs"
        aria-label={t.usedThisMinute(label)}
      />
      <BarChart
        title={t.lastHour(label)}
        unit={t.unit}
        per={t.minute}
        series={series}
        bars={bars}
        limit={{ name: t.limit, value: use.limit }}
      />
    </Paper>
  );
}
