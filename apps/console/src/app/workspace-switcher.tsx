import { Button, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronsUpDown, Plus } from 'lucide-react';
import { sessionQuery } from '../session/session-query.ts';
import { appTexts as t } from '../texts/app.ts';
import { sentence } from '../texts/format.ts';
import { wordsTexts } from '../texts/words.ts';
import { ButtonPopover } from '../ui/dialog/button-popover.tsx';
import { useOpenWorkspace } from '../workspace/use-workspace.ts';

export function WorkspaceSwitcher() {
  const { data } = useSuspenseQuery(sessionQuery);
  const open = useOpenWorkspace();
  return (
    <ButtonPopover
      side="start"
      button={(popoverTarget) => (
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          miw={0}
          maw={320}
          style={{ flexShrink: 1 }}
          popoverTarget={popoverTarget}
          rightSection={<ChevronsUpDown size={14} />}
        >
          <Text component="span" size="sm" truncate title={open?.name}>
            {open?.name ?? t.workspaces}
          </Text>
        </Button>
      )}
    >
      {data.workspaces.map(({ id, name, role }) => (
        <Link
          key={id}
          to="/w/$workspaceId/decisions"
          params={{ workspaceId: id }}
          className="place mantine-focus-auto"
          aria-current={id === open?.id}
        >
          <div>
            {name}
            <Text size="xs" c="dimmed">
              {sentence(wordsTexts.role[role])}
            </Text>
          </div>
        </Link>
      ))}
      <Link to="/new-workspace" className="place mantine-focus-auto">
        <Plus size={16} />
        {t.newWorkspace}
      </Link>
    </ButtonPopover>
  );
}
