import { Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followWorkspace } from '../api/live-queries.ts';
import { Bell } from '../inbox/bell.tsx';
import { SearchButton } from '../search/search-button.tsx';
import { appTexts as t } from '../texts/app.ts';
import { TextLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { useOpenWorkspace, WorkspaceContext } from '../workspace/use-workspace.ts';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { useAskBeforeLeaving } from './use-ask-before-leaving.ts';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

/** The frame of every page for signed-in users. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const workspace = useOpenWorkspace();
  useAskBeforeLeaving();
  const queryClient = useQueryClient();
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
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? t.closeNavigation : t.openNavigation}
              aria-expanded={opened}
            />
          )}
          <TextLink to="/" c="inherit" fw={600} underline="never" visibleFrom="xs">
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
