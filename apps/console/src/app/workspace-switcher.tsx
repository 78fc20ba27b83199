import { Button, NavLink, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronsUpDown, Plus } from 'lucide-react';
import { sessionQuery } from '../session/session-query.ts';
import { useOpenWorkspace } from '../session/use-workspace.ts';
import { appTexts as t } from '../texts/app.ts';
import { wordsTexts } from '../texts/words.ts';
import { HeaderPopover } from '../ui/dialog/header-popover.tsx';

export function WorkspaceSwitcher() {
  const { data } = useSuspenseQuery(sessionQuery);
  const open = useOpenWorkspace();
  return (
    <HeaderPopover
      side="start"
      button={(popoverTarget) => (
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          miw={0}
          maw={180}
          style={{ flexShrink: 1 }}
          popoverTarget={popoverTarget}
          rightSection={<ChevronsUpDown size={14} aria-hidden />}
        >
          <Text component="span" size="sm" truncate title={open?.name}>
            {open?.name ?? t.workspaces}
          </Text>
        </Button>
      )}
    >
      {data.workspaces.map(({ id, name, role }) => (
        <NavLink
          key={id}
          renderRoot={(props) => (
            <Link to="/w/$workspaceId/decisions" params={{ workspaceId: id }} {...props} />
          )}
          label={name}
          description={wordsTexts.role[role]}
          active={id === open?.id}
        />
      ))}
      <NavLink
        renderRoot={(props) => <Link to="/new-workspace" {...props} />}
        label={t.newWorkspace}
        leftSection={<Plus size={16} aria-hidden />}
      />
    </HeaderPopover>
  );
}
