import { ActionIcon, Button, Group, Popover, Text, TextInput } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Bookmark, X } from 'lucide-react';
import { useState } from 'react';
import { sessionQuery } from '../../session/session-query.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { decisionFiltersTexts as t } from '../../texts/decision-filters.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { type DecisionFilters, decisionFiltersOf } from './decision-filters.ts';

const route = getRouteApi('/user/w/$workspaceId/decisions');

interface View {
  name: string;
  filters: DecisionFilters;
}

/** Filters and orders that the user has given names to; this browser keeps them. */
export default function SavedViews() {
  const { id: workspaceId } = useWorkspace();
  const { data } = useSuspenseQuery(sessionQuery);
  const filters = route.useSearch();
  const [isOpen, { toggle, close, set }] = useDisclosure(true);
  const [name, setName] = useState('');
  const [views, setViews] = useLocalStorage<View[]>({
    key: `waymark.decision-views.${data.user.id}.${workspaceId}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  function save(): void {
    const others = views.filter((view) => view.name !== name.trim());
    setViews([...others, { name: name.trim(), filters }]);
    setName('');
  }
  return (
    <Popover
      position="bottom-end"
      opened={isOpen}
      onChange={set}
      trapFocus
      withRoles={false}
      withinPortal={false}
      width={280}
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Bookmark size={16} aria-hidden />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {t.views}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {views.length === 0 && (
          <Text size="sm" c="dimmed" mb="xs">
            {t.viewsHint}
          </Text>
        )}
        {views.map((view) => (
          <Group key={view.name} gap="2xs" wrap="nowrap">
            <Link
              to="/w/$workspaceId/decisions"
              params={{ workspaceId }}
              search={decisionFiltersOf({ ...view.filters })}
              className="place mantine-focus-auto"
              onClick={close}
            >
              {view.name}
            </Link>
            <ActionIcon
              variant="subtle"
              color="var(--mantine-color-text)"
              aria-label={t.removeView(view.name)}
              onClick={() => setViews(views.filter((other) => other !== view))}
            >
              <X size={16} />
            </ActionIcon>
          </Group>
        ))}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save();
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
            <Button type="submit" variant="default" flex="none">
              {ui.save}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
