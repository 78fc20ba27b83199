import { Button, Menu, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { sessionQuery } from '../session/session-query.ts';

export function WorkspaceSwitcher() {
  const { data } = useSuspenseQuery(sessionQuery);
  const { workspaceId } = useParams({ strict: false });
  const open = data.workspaces.find(({ id }) => id === workspaceId);
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button variant="default" size="sm" maw={180} rightSection={<ChevronsUpDown size={14} aria-hidden />}>
          <Text component="span" size="sm" truncate>
            {open?.name ?? 'Workspaces'}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {data.workspaces.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            component={Link}
            to={`/w/${id}/decisions`}
            leftSection={
              <Check size={16} visibility={id === workspaceId ? undefined : 'hidden'} aria-hidden />
            }
            rightSection={<Text size="xs">{role}</Text>}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/new-workspace" leftSection={<Plus size={16} aria-hidden />}>
          New workspace
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
