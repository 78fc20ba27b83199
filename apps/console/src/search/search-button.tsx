import { ActionIcon, Button, Text } from '@mantine/core';
import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useWorkspace } from '../session/use-workspace.ts';

const SearchDialog = lazy(() => import('./search-dialog.tsx'));

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the search by click, Ctrl-K or Cmd-K. */
export function SearchButton() {
  const { id: workspaceId } = useWorkspace();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isShortcut || event.key.toLowerCase() !== 'k') return;
      // Otherwise the browser's own search would open.
      event.preventDefault();
      // Not over another dialog, which it would hide.
      if (!document.querySelector('[role="dialog"]')) setIsOpen(true);
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);
  const shared = {
    variant: 'default',
    'aria-keyshortcuts': 'Control+K Meta+K',
    onClick: () => setIsOpen(true),
  };
  return (
    <>
      <ActionIcon size="lg" hiddenFrom="sm" aria-label="Search" {...shared}>
        <Search size={18} />
      </ActionIcon>
      <Button visibleFrom="sm" leftSection={<Search size={16} aria-hidden />} {...shared}>
        Search
        <Text span size="xs" c="dimmed" ml="md">
          {isApple ? '⌘ K' : 'Ctrl K'}
        </Text>
      </Button>
      {isOpen && (
        <Suspense>
          <SearchDialog key={workspaceId} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
