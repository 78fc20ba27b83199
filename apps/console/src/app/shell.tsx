import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SearchButton } from '../search/search-button.tsx';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { Navigation } from './navigation.tsx';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

/** What stands around every page of somebody who is signed in. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const { workspaceId } = useParams({ strict: false });
  // A page that was chosen from the small screen's menu takes the menu's place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: pathname is what it waits for
  useEffect(close, [pathname, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened, desktop: !workspaceId } }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="xs" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap" miw={0}>
            {workspaceId && (
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={opened ? 'Close navigation' : 'Open navigation'}
                aria-expanded={opened}
              />
            )}
            <Link to="/" aria-label="Waymark, home">
              <img src="/waymark.svg" alt="" width={28} height={28} style={{ display: 'block' }} />
            </Link>
            <Text fw={700} visibleFrom="sm" aria-hidden>
              Waymark
            </Text>
            <WorkspaceSwitcher />
          </Group>
          <Group gap="xs" wrap="nowrap">
            {workspaceId && <SearchButton />}
            <ColorSchemeToggle />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="nav" aria-label="Workspace">
        {workspaceId && (
          <ScrollArea>
            <Navigation />
          </ScrollArea>
        )}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
