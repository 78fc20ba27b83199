import { Button, Group } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import { settingsTexts as t } from '../texts/settings.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';

const PAGES = [
  { to: '/w/$workspaceId/settings', label: 'general', exact: true },
  { to: '/w/$workspaceId/settings/members', label: 'members' },
  { to: '/w/$workspaceId/settings/api-keys', label: 'apiKeys', forAdmins: true },
  { to: '/w/$workspaceId/settings/limits', label: 'limits', forAdmins: true },
] as const;

/** The tabs of a workspace's settings. Users who cannot change settings see only the readable ones. */
export function SettingsLayout() {
  const { id, may } = useWorkspace();
  return (
    <>
      <Group component="nav" aria-label={t.title} gap="2xs" maw={1200} mx="auto" mb="md">
        {PAGES.filter((page) => !('forAdmins' in page) || may('admin')).map(({ to, label, ...page }) => (
          <Link
            key={to}
            to={to}
            params={{ workspaceId: id }}
            activeOptions={{ exact: 'exact' in page }}
            style={{ textDecoration: 'none' }}
          >
            {({ isActive }) => (
              <Button
                component="span"
                size="compact-md"
                fz="sm"
                variant={isActive ? 'default' : 'transparent'}
                color="var(--mantine-color-text)"
              >
                {t[label]}
              </Button>
            )}
          </Link>
        ))}
      </Group>
      <Outlet />
    </>
  );
}
