import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { Download, Tag, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api, hasCode, type Schemas } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { decisionFiltersTexts } from '../../texts/decision-filters.ts';
import { sentence } from '../../texts/format.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { DownloadState } from '../../ui/download/download-state.tsx';
import { useDownload } from '../../ui/download/use-download.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { type Decision, STATUSES, type Status } from '../decision-words.ts';
import { changeTogether, type Ended, type Progress, tellEnded } from './change-together.ts';
import { decisionFacets } from './decision-facets.ts';
import { StatusDialog } from './status-dialog.tsx';
import { TagDialog } from './tag-dialog.tsx';

/** More are changed after a question. */
const UNASKED_MAX = 20;

/** The new fields of a decision, or null if it stays as it is. */
type Edit = (decision: Decision) => Schemas['DecisionUpdate'] | null;

interface BulkChange {
  items: Decision[];
  edit: Edit;
  isUndo?: boolean;
}

/** What can be done with the selected decisions. */
export default function BulkBar(props: {
  decisions: Decision[];
  remove: (ids: string[]) => Promise<void>;
  clear: () => void;
  /** What selects the others that match. */
  more: ReactNode;
}) {
  const t = decisionFiltersTexts.bulk;
  const { decisions, remove, clear, more } = props;
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const { data: facets } = useQuery(decisionFacets(workspaceId, {}));
  const download = useDownload();
  const [isTagging, setTagging] = useState(false);
  const [asked, setAsked] = useState<Status | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const ids = decisions.map(({ id }) => id);
  const change = useMutation({
    mutationFn: ({ items, edit }: BulkChange) => editTogether(workspaceId, items, edit, setProgress),
    onSuccess: (ended, { edit, isUndo }) =>
      tellEnded(ended, { done: t.changed, failed: t.notChanged }, isUndo ? null : undo, (items) =>
        change.mutate({ items, edit }),
      ),
    onSettled: () => {
      setProgress(null);
      void queryClient.invalidateQueries({ queryKey: queryKeys.decisions(workspaceId) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.metrics(workspaceId) });
    },
  });

  /** The undo names the version that the change has made, so that it never undoes what somebody did since. */
  function undo(changed: Ended<Decision>[]): void {
    const before = new Map(changed.map(({ item }) => [item.id, item]));
    const items = changed.map(({ body }) => body as unknown as Decision);
    const edit: Edit = ({ id }) => {
      const { status, tags } = before.get(id)!;
      return { status, tags };
    };
    change.mutate({ items, edit, isUndo: true });
  }

  const setStatus = (items: Decision[], status: Status) => change.mutate({ items, edit: () => ({ status }) });
  const askStatus = (status: Status) => {
    const items = decisions.filter((decision) => decision.status !== status);
    const isSafe = items.length <= UNASKED_MAX && items.every(({ outcome }) => outcome === 'pending');
    if (isSafe) setStatus(items, status);
    else setAsked(status);
  };
  const setTag = (tag: string, isAdded: boolean) =>
    change.mutate({
      items: decisions.filter(({ tags }) => tags.includes(tag) !== isAdded),
      edit: ({ tags }) => ({ tags: [...tags.filter((one) => one !== tag), ...(isAdded ? [tag] : [])] }),
    });
  const removeAll = () => {
    void remove(ids);
    clear();
  };
  const askRemove = () => {
    if (ids.length <= UNASKED_MAX) return removeAll();
    confirmDestruction({
      title: t.deleteTitle(ids.length),
      consequence: t.deleteConsequence,
      act: ui.delete,
      onConfirm: removeAll,
    });
  };
  return (
    <Paper withBorder shadow="md" p="xs" role="region" aria-label={t.label} className="bulk-bar">
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {progress ? inWords(progress) : t.selected(ids.length)}
        </Text>
        {more}
        <Menu position="top-start">
          <Menu.Target>
            <Button variant="default" size="xs" loading={change.isPending}>
              {t.setStatus}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {STATUSES.map((status) => (
              <Menu.Item key={status} onClick={() => askStatus(status)}>
                {sentence(words.status[status])}
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
          disabled={download.isRunning || ids.length > limits.exportedIds}
          {...(ids.length > limits.exportedIds && { title: t.exportMost(limits.exportedIds) })}
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
          onClick={askRemove}
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
      {asked && (
        <StatusDialog
          decisions={decisions}
          status={asked}
          onClose={() => setAsked(null)}
          change={(items) => setStatus(items, asked)}
        />
      )}
    </Paper>
  );
}

/**
 * Changes the version that is shown, so that what somebody else has just changed stays. The edit of another
 * version is made once more.
 */
async function editTogether(
  workspaceId: string,
  items: readonly Decision[],
  edit: Edit,
  onProgress: (progress: Progress) => void,
): Promise<Ended<Decision>[]> {
  const changeAll = (all: readonly Decision[]) =>
    changeTogether(
      workspaceId,
      all.flatMap((item) => {
        const { id, version } = item;
        const body = edit(item);
        const operation = { operation: 'updateDecision', id, ifMatch: `"v${version}"`, body: body! } as const;
        return body ? [{ item, operation }] : [];
      }),
      onProgress,
    );
  const ended = await changeAll(items);
  const isOutdated = ({ error }: Ended<Decision>) => hasCode(error, 'PRECONDITION_FAILED');
  const outdated = ended.filter(isOutdated).map(({ item }) => item.id);
  if (outdated.length === 0) return ended;
  const read = (id: string) => api.get('/decisions/{id}', { id, workspaceId });
  const newer = await Promise.all(outdated.map(read));
  return [...ended.filter((one) => !isOutdated(one)), ...(await changeAll(newer))];
}

function inWords({ done, of, waitSeconds }: Progress): string {
  const t = decisionFiltersTexts.bulk;
  return waitSeconds === null ? t.progress(done, of) : t.waiting(done, of, waitSeconds);
}
