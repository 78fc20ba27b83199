import { ActionIcon, Button, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { uiTexts as ui } from '../texts/ui.ts';
import { FocusedPart } from '../ui/dialog/early-typing.tsx';
import { lazyPart } from '../ui/lazy-page.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { listenForShortcuts } from './shortcuts.ts';

const SearchDialog = lazyPart(() => import('./search-dialog.tsx'));
const ShortcutsDialog = lazyPart(() => import('./shortcuts-dialog.tsx'));

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the search by click, Ctrl-K or Cmd-K, and runs the shortcuts of single keys. */
export function SearchButton() {
  const { id: workspaceId, may } = useWorkspace();
  const router = useRouter();
  const [shown, show] = useState<'search' | 'help' | null>(null);
  const close = () => show(null);
  const mayWrite = may('member');
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isShortcut || event.key.toLowerCase() !== 'k') return;
      // Otherwise the browser's own search would open.
      event.preventDefault();
      // Not over another dialog, which it would hide.
      if (!document.querySelector('[role="dialog"]')) show('search');
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);
  useEffect(() => {
    return listenForShortcuts((shortcut) => {
      if ('show' in shortcut) show(shortcut.show);
      else if (mayWrite || shortcut.go !== 'decisions/new')
        router.history.push(`/w/${workspaceId}/${shortcut.go}`);
    });
  }, [workspaceId, mayWrite, router]);
  const shared = {
    variant: 'default',
    'aria-keyshortcuts': 'Control+K Meta+K',
    onClick: () => show('search'),
  };
  return (
    <>
      <ActionIcon size="lg" hiddenFrom="sm" aria-label={ui.search} {...shared}>
        <Search size={18} />
      </ActionIcon>
      <Button
        visibleFrom="sm"
        w={240}
        justify="flex-start"
        leftSection={<Search size={16} aria-hidden />}
        rightSection={
          <Text span size="xs" c="dimmed">
            {isApple ? '⌘' : ui.ctrl} K
          </Text>
        }
        {...shared}
      >
        {ui.search}
      </Button>
      {shown && (
        <FocusedPart onClose={close}>
          {shown === 'search' ? (
            <SearchDialog key={workspaceId} onClose={close} onHelp={() => show('help')} />
          ) : (
            <ShortcutsDialog onClose={close} />
          )}
        </FocusedPart>
      )}
    </>
  );
}
