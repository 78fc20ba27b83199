import { ActionIcon, Burger, Group, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useBlocker, useLocation } from '@tanstack/react-router';
import { Moon, Sun } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { isOffline, onConnection, secondsToLimit } from '../api/connection.ts';
import { followWorkspace } from '../api/live-queries.ts';
import { Bell } from '../inbox/bell.tsx';
import { SearchButton } from '../search/search-button.tsx';
import { appTexts as t } from '../texts/app.ts';
import { TextLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { countUnsaved, mayDiscard } from '../ui/unsaved.ts';
import { useOpenWorkspace, WorkspaceContext } from '../workspace/use-workspace.ts';
import { keepFocus } from './keep-focus.ts';
import { Navigation } from './navigation.tsx';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

/** The frame of every page for signed-in users. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const workspace = useOpenWorkspace();
  useAskBeforeLeaving();
  const queryClient = useQueryClient();
  useEffect(() => keepFocus(queryClient), [queryClient]);
  const followed = workspace?.isLocked ? undefined : workspace?.id;
  useEffect(() => {
    if (followed !== undefined) return followWorkspace(followed, queryClient);
  }, [followed, queryClient]);
  // Opening a page closes the menu of small screens.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new pathname closes the menu
  useEffect(close, [pathname, close]);
  return (
    <WorkspaceContext value={workspace}>
      <a className="skip-link" href="#content">
        {t.skip}
      </a>
      <OfflineBanner />
      <header className="shell-header">
        <Group gap="xs" wrap="nowrap" miw={0}>
          {workspace && (
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={opened ? t.closeNavigation : t.openNavigation}
              aria-expanded={opened}
            />
          )}
          <TextLink to="/" c="inherit" fw={600} underline="never" flex="none" visibleFrom="xs">
            <Mark size={24} />
            Waymark
          </TextLink>
          <WorkspaceSwitcher />
        </Group>
        <Group gap="xs" wrap="nowrap">
          {workspace && <SearchButton />}
          <Bell />
          <ColorSchemeToggle />
          <UserMenu />
        </Group>
      </header>
      {workspace && (
        <nav className="shell-nav" aria-label={t.workspace} data-open={opened || undefined}>
          <Navigation />
        </nav>
      )}
      <main className="shell-main" id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </WorkspaceContext>
  );
}

function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={isDark ? t.lightColors : t.darkColors}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <Sun size={18} /> : <Moon size={18} />}
    </ActionIcon>
  );
}

function onConnectionOrSecond(listener: () => void): () => void {
  const stop = onConnection(listener);
  const timer = setInterval(listener, 1_000);
  return () => {
    stop();
    clearInterval(timer);
  };
}

/** Says above the page that there is no connection, or how long the rate limit delays a read. */
function OfflineBanner() {
  const offline = useSyncExternalStore(onConnection, isOffline);
  const seconds = useSyncExternalStore(onConnectionOrSecond, secondsToLimit);
  return (
    <div role="status" className="offline-banner">
      {offline ? t.offline : seconds > 0 && t.limited(seconds)}
    </div>
  );
}

/** Wraps every page. Asks before the user leaves a page with unsaved input. */
function useAskBeforeLeaving(): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await mayDiscard()),
    enableBeforeUnload: () => countUnsaved() > 0,
  });
}
