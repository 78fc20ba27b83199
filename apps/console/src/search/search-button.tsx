import { ActionIcon, Button, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { uiTexts as ui } from '../texts/ui.ts';
import { lazyPart } from '../ui/lazy-page.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
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
  const [text, setText] = useState('');
  const close = () => {
    show(null);
    setText('');
  };
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
  // Keys that are pressed before the dialog has the focus are text for its field, not shortcuts.
  useEffect(() => {
    if (shown !== 'search') return;
    const typeEarly = (event: KeyboardEvent) => {
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isText || document.activeElement?.closest('[role="dialog"]')) return;
      event.preventDefault();
      event.stopPropagation();
      setText((before) => before + event.key);
    };
    document.addEventListener('keydown', typeEarly, true);
    return () => document.removeEventListener('keydown', typeEarly, true);
  }, [shown]);
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
        <LazyPart onClose={close}>
          {shown === 'search' ? (
            <SearchDialog
              key={workspaceId}
              {...{ text, setText }}
              onClose={close}
              onHelp={() => show('help')}
            />
          ) : (
            <ShortcutsDialog onClose={close} />
          )}
        </LazyPart>
      )}
    </>
  );
}
