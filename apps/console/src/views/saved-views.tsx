import { ActionIcon, Button, Checkbox, Group, Menu, Text, TextInput } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Bookmark, Ellipsis, Star } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { sessionQuery } from '../session/session-query.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { viewsTexts as t } from '../texts/views.ts';
import { ToolbarPopover } from '../ui/dialog/toolbar-popover.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useChange } from '../ui/use-change.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { useArrange } from './use-arrange.ts';
import { ViewLink } from './view-link.tsx';
import { useViews, type View, type ViewedList, viewsQuery } from './views-query.ts';

/** Filters, orders and columns that have a name, of the user and of the workspace. */
export default function SavedViews({ list, query }: { list: ViewedList; query: object }) {
  const { kind } = list;
  const { id: workspaceId, may } = useWorkspace();
  const views = useQuery(viewsQuery(workspaceId, kind));
  const columns = views.data?.settings.columns;
  const shown = { query, ...(columns && { columns }) };
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const change = useChangeView();
  const create = () => api.post('/views', { body: { workspaceId, kind, name, shared, ...shown } });
  return (
    <ToolbarPopover label={t.views} icon={Bookmark} position="bottom-end" width={300}>
      {(close) => (
        <>
          <QueryState query={views} />
          {views.data?.data.length === 0 && (
            <Text size="sm" c="dimmed" mb="xs">
              {t.viewsHint}
            </Text>
          )}
          {views.data?.data.map((view) => (
            <ViewRow key={view.id} list={list} view={view} shown={shown} onOpen={close} />
          ))}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              change.mutate(create, { onSuccess: () => setName('') });
            }}
          >
            <Group gap="xs" mt="xs" align="flex-end" wrap="nowrap">
              <TextInput
                label={t.viewName}
                flex={1}
                required
                withAsterisk={false}
                maxLength={60}
                pattern=".*\S.*"
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <Button type="submit" variant="default" flex="none" loading={change.isPending}>
                {ui.save}
              </Button>
            </Group>
            {may('member') && (
              <Checkbox
                mt="xs"
                label={t.share}
                checked={shared}
                onChange={(event) => setShared(event.currentTarget.checked)}
              />
            )}
          </form>
        </>
      )}
    </ToolbarPopover>
  );
}

/** Sends a change of a view, then reads the views again. */
function useChangeView() {
  const changes = [queryKeys.views(useWorkspace().id)];
  return useChange({ mutationFn: (send: () => Promise<unknown>) => send(), changes });
}

function ViewRow(props: { list: ViewedList; view: View; shown: object; onOpen: () => void }) {
  const { list, view, shown, onOpen } = props;
  const { may } = useWorkspace();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const settings = useViews(list.kind)?.settings;
  const arrange = useArrange(list.kind);
  const change = useChangeView();
  const { id } = view;
  const others = settings?.favourite_ids.filter((id) => id !== view.id) ?? [];
  const isFavourite = others.length !== settings?.favourite_ids.length;
  const isDefault = settings?.default_view_id === view.id;
  const isOwn = view.owner_id === user.id;
  const update = (body: object) => change.mutate(() => api.patch('/views/{id}', { id, body }));
  return (
    <Group gap="2xs" wrap="nowrap">
      <ViewLink list={list} view={view} onOpen={onOpen} />
      <ActionIcon
        variant="subtle"
        color="var(--mantine-color-text)"
        aria-label={t.favourite(view.name)}
        aria-pressed={isFavourite}
        onClick={() => arrange.mutate({ favouriteIds: isFavourite ? others : [...others, view.id] })}
      >
        <Star size={16} {...(isFavourite && { fill: 'currentColor' })} />
      </ActionIcon>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="var(--mantine-color-text)" aria-label={t.actionsOf(view.name)}>
            <Ellipsis size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => arrange.mutate({ defaultViewId: isDefault ? null : view.id })}>
            {isDefault ? t.noDefault : t.makeDefault}
          </Menu.Item>
          {(isOwn || may('admin')) && (
            <>
              <Menu.Item onClick={() => update(shown)}>{t.replaceView}</Menu.Item>
              {isOwn && may('member') && (
                <Menu.Item onClick={() => update({ shared: !view.shared })}>
                  {view.shared ? t.unshare : t.share}
                </Menu.Item>
              )}
              <Menu.Item onClick={() => change.mutate(() => api.delete('/views/{id}', { id }))}>
                {t.removeView}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
