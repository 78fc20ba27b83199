import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrap, WaymarkError } from '@waymark/client/api';
import { Download, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { decisionFiltersTexts } from '../../texts/decision-filters.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { DownloadState } from '../../ui/download/download-state.tsx';
import { useDownload } from '../../ui/download/use-download.ts';
import { notifyDone, notifyProblem } from '../../ui/notify.tsx';
import { type Decision, STATUSES, type Status } from '../decision-words.ts';
import { changeMany, type Progress } from './change-many.ts';
import { decisionFacets } from './decision-facets.ts';
import { TagDialog } from './tag-dialog.tsx';

/** As the API allows. */
const EXPORTED_MAX = 200;

type Change = (decision: Decision) => Promise<unknown>;

/** What can be done with the selected decisions. */
export default function BulkBar(props: {
  decisions: Decision[];
  remove: (ids: string[]) => void;
  clear: () => void;
}) {
  const t = decisionFiltersTexts.bulk;
  const { decisions, remove, clear } = props;
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const { data: facets } = useQuery(decisionFacets(workspaceId, {}));
  const download = useDownload();
  const [isTagging, setTagging] = useState(false);
  const [progress, setProgress] = useState<Progress | null>(null);
  const ids = decisions.map(({ id }) => id);
  const change = useMutation({
    mutationFn: ({ items, one }: { items: Decision[]; one: Change }) => changeMany(items, one, setProgress),
    onSuccess: (failed, { items, one }) => {
      const changed = items.length - failed.length;
      if (changed > 0) notifyDone(t.changed(changed));
      const first = failed[0];
      if (first) {
        const left = failed.map(({ item }) => item);
        notifyProblem(first.error, {
          title: t.notChanged(left.length, items.length),
          repeat: () => change.mutate({ items: left, one }),
        });
      }
      setProgress(null);
      void queryClient.invalidateQueries({ queryKey: queryKeys.decisions(workspaceId) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.metrics(workspaceId) });
    },
  });
  const at = (id: string) => ({ path: { id }, query: { workspaceId } });
  const setStatus = (status: Status) =>
    change.mutate({
      items: decisions,
      one: ({ id }) => unwrap(api.PATCH('/decisions/{id}', { params: at(id), body: { status } })),
    });
  const setTag = (tag: string, isAdded: boolean) =>
    change.mutate({ items: decisions, one: (decision) => withTag(decision, tag, isAdded) });
  return (
    <Paper withBorder shadow="md" p="xs" role="region" aria-label={t.label} className="bulk-bar">
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {progress ? inWords(progress) : t.selected(ids.length)}
        </Text>
        <Menu position="top-start">
          <Menu.Target>
            <Button variant="default" size="xs" loading={change.isPending}>
              {t.setStatus}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {STATUSES.map((status) => (
              <Menu.Item key={status} onClick={() => setStatus(status)}>
                {words.status[status]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button
          variant="default"
          size="xs"
          leftSection={<Tag size={14} aria-hidden />}
          disabled={change.isPending}
          onClick={() => setTagging(true)}
        >
          {t.tag}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<Download size={14} aria-hidden />}
          disabled={download.isRunning || ids.length > EXPORTED_MAX}
          {...(ids.length > EXPORTED_MAX && { title: t.exportMost(EXPORTED_MAX) })}
          onClick={() =>
            download.start({
              name: t.exportName,
              path: `/decisions/export-csv?workspaceId=${workspaceId}&ids=${ids.join()}`,
            })
          }
        >
          {t.exportCsv}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<Trash2 size={14} aria-hidden />}
          disabled={change.isPending}
          onClick={() => {
            remove(ids);
            clear();
          }}
        >
          {ui.delete}
        </Button>
        <Button variant="subtle" color="var(--mantine-color-text)" size="xs" onClick={clear}>
          {t.clear}
        </Button>
      </Group>
      <DownloadState download={download} />
      {isTagging && (
        <TagDialog
          count={ids.length}
          tags={(facets?.tags ?? []).map(({ value }) => value)}
          onClose={() => setTagging(false)}
          change={setTag}
        />
      )}
    </Paper>
  );
}

/** Changes the tags of the version that it names, so that a tag that somebody else just added stays. */
async function withTag(known: Decision, tag: string, isAdded: boolean): Promise<unknown> {
  const at = { path: { id: known.id }, query: { workspaceId: known.workspace_id } };
  const send = ({ version, tags: old }: Decision) => {
    const others = old.filter((one) => one !== tag);
    const tags = isAdded ? [...others, tag] : others;
    const params = { ...at, header: { 'If-Match': `"v${version}"` } };
    return unwrap(api.PATCH('/decisions/{id}', { params, body: { tags } }));
  };
  try {
    return await send(known);
  } catch (error) {
    if (!(error instanceof WaymarkError) || error.code !== 'PRECONDITION_FAILED') throw error;
    return send(await unwrap(api.GET('/decisions/{id}', { params: at })));
  }
}

function inWords({ done, of, waitSeconds }: Progress): string {
  const t = decisionFiltersTexts.bulk;
  return waitSeconds === null ? t.progress(done, of) : t.waiting(done, of, waitSeconds);
}
