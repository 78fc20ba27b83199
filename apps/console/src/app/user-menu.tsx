import { ActionIcon, NavLink, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { BookOpen, LogOut, Settings, UserRound } from 'lucide-react';
import { api } from '../api/client.ts';
import { forgetTab } from '../session/forget-tab.ts';
import { sessionQuery } from '../session/session-query.ts';
import { HeaderPopover } from '../ui/dialog/header-popover.tsx';
import { notifyProblem } from '../ui/notify.tsx';
import { mayDiscard } from '../ui/unsaved.ts';

export function UserMenu() {
  const { data } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const router = useRouter();
  const signOut = useMutation({
    mutationFn: () => unwrap(api.POST('/auth/sign-out')),
    onSuccess: async () => {
      await router.navigate({ to: '/sign-in', ignoreBlocker: true });
      queryClient.clear();
      forgetTab();
    },
    onError: notifyProblem,
  });
  return (
    <HeaderPopover
      side="end"
      button={(popoverTarget) => (
        <ActionIcon
          variant="default"
          size="lg"
          popoverTarget={popoverTarget}
          aria-label={`Account of ${data.user.name}`}
        >
          <UserRound size={18} />
        </ActionIcon>
      )}
    >
      <Text size="sm" fw={600} px="sm" truncate title={data.user.name}>
        {data.user.name}
      </Text>
      <Text size="xs" c="dimmed" px="sm" mb="xs" truncate title={data.user.email}>
        {data.user.email}
      </Text>
      <NavLink
        renderRoot={(props) => <Link to="/account" {...props} />}
        label="Account and sessions"
        leftSection={<Settings size={16} aria-hidden />}
      />
      <NavLink
        component="a"
        href="/docs"
        target="_blank"
        label="API reference"
        leftSection={<BookOpen size={16} aria-hidden />}
      />
      <NavLink
        component="button"
        label="Sign out"
        leftSection={<LogOut size={16} aria-hidden />}
        onClick={() => void mayDiscard().then((may) => may && signOut.mutate())}
      />
    </HeaderPopover>
  );
}
