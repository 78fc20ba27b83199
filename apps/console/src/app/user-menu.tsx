import { ActionIcon, Menu, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { LogOut, UserRound } from 'lucide-react';
import { api } from '../api/client.ts';
import { sessionQuery } from '../session/session-query.ts';
import { notifyProblem } from '../ui/notify.ts';

export function UserMenu() {
  const { data } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const router = useRouter();
  const signOut = useMutation({
    mutationFn: () => unwrap(api.POST('/auth/sign-out')),
    onSuccess: async () => {
      await router.navigate({ to: '/sign-in' });
      queryClient.clear();
    },
    onError: notifyProblem,
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={`Account of ${data.user.name}`}>
          <UserRound size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate>
            {data.user.name}
          </Text>
          <Text size="xs" truncate>
            {data.user.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<UserRound size={16} aria-hidden />}>
          Account and sessions
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
