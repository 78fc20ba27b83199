import { Anchor, AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SearchButton } from '../search/search-button.tsx';
import { useOpenWorkspace, WorkspaceContext } from '../session/use-workspace.ts';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { Navigation } from './navigation.tsx';
import { useAskBeforeLeaving } from './use-ask-before-leaving.ts';
import { useLiveQueries } from './use-live-queries.ts';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

/** The frame of every page for signed-in users. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const workspace = useOpenWorkspace();
  useAskBeforeLeaving();
  useLiveQueries(workspace?.id);
  // Opening a page closes the menu of small screens.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new pathname closes the menu
  useEffect(close, [pathname, close]);
  return (
    <WorkspaceContext value={workspace}>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened, desktop: !workspace } }}
        padding="md"
      >
        <a className="skip-link" href="#content">
          Skip to content
        </a>
        <AppShell.Header>
          <Group h="100%" px="md" gap="xs" wrap="nowrap" justify="space-between">
            <Group gap="xs" wrap="nowrap" miw={0}>
              {workspace && (
                <Burger
                  opened={opened}
                  onClick={toggle}
                  hiddenFrom="sm"
                  size="sm"
                  aria-label={opened ? 'Close navigation' : 'Open navigation'}
                  aria-expanded={opened}
                />
              )}
              <Anchor
                renderRoot={(props) => <Link to="/" {...props} />}
                c="inherit"
                fw={700}
                underline="never"
                visibleFrom="xs"
              >
                <img src="/waymark.svg" alt="" width={24} height={24} className="mark" />
                Waymark
              </Anchor>
              <WorkspaceSwitcher />
            </Group>
            <Group gap="xs" wrap="nowrap">
              {workspace && <SearchButton />}
              <ColorSchemeToggle />
              <UserMenu />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="xs" style={{ overflowY: 'auto' }} component="nav" aria-label="Workspace">
          {workspace && <Navigation />}
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          <Outlet />
        </AppShell.Main>
      </AppShell>
    </WorkspaceContext>
  );
}
