import { ActionIcon, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { BookOpen, Check, LogOut, Rows4, Settings } from 'lucide-react';
import { useLayoutEffect } from 'react';
import { api, type Schemas } from '../api/client.ts';
import { forgetTab } from '../api/forget-tab.ts';
import { countDraftsOf, dropDraftsOf } from '../session/drafts/drafts.ts';
import { sessionQuery, showUser, signInMethodsQuery } from '../session/session-query.ts';
import { useLanguage } from '../session/use-language.ts';
import { appTexts as t } from '../texts/app.ts';
import { uiTexts } from '../texts/ui.ts';
import { Avatar } from '../ui/avatar.tsx';
import { ButtonPopover } from '../ui/dialog/button-popover.tsx';
import { confirmDestruction } from '../ui/dialog/confirm.tsx';
import { LanguageSelect } from '../ui/language-select.tsx';
import { dismissAll } from '../ui/notify.tsx';
import { mayDiscard } from '../ui/unsaved.ts';

export function UserMenu() {
  const { data } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const router = useRouter();
  const { isCompact, toggle } = useDensity();
  const language = useLanguage();
  const signOut = useMutation({
    mutationFn: () => api.post('/auth/sign-out'),
    onSuccess: async () => {
      await router.navigate({ to: '/sign-in', ignoreBlocker: true });
      // The page has begun to read how one signs in, which belongs to nobody.
      const [methods] = signInMethodsQuery.queryKey;
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== methods });
      queryClient.getMutationCache().clear();
      forgetTab();
      dismissAll();
      dropDraftsOf(data.user.id);
    },
  });
  async function askToSignOut(): Promise<void> {
    if (!(await mayDiscard())) return;
    const drafts = countDraftsOf(data.user.id);
    if (drafts === 0) return signOut.mutate();
    confirmDestruction({
      title: t.user.discard(drafts),
      consequence: t.user.discardHint,
      act: t.user.discardAct,
      onConfirm: () => signOut.mutate(),
    });
  }
  return (
    <ButtonPopover
      side="end"
      button={(popoverTarget) => (
        <ActionIcon
          variant="light"
          size="lg"
          radius="xl"
          popoverTarget={popoverTarget}
          aria-label={t.user.menu(data.user.name)}
        >
          <Avatar name={data.user.name} />
        </ActionIcon>
      )}
    >
      <Text size="sm" fw={600} px="sm" truncate title={data.user.name}>
        {data.user.name}
      </Text>
      <Text size="xs" c="dimmed" px="sm" mb="xs" truncate title={data.user.email}>
        {data.user.email}
      </Text>
      <Link to="/account" className="place mantine-focus-auto">
        <Settings size={16} />
        {t.user.account}
      </Link>
      <button type="button" className="place mantine-focus-auto" aria-pressed={isCompact} onClick={toggle}>
        <Rows4 size={16} />
        {t.user.compactRows}
        {isCompact && <Check size={16} />}
      </button>
      <LanguageSelect choose={(code) => language.mutate({ code, ofConsole: true })} />
      <a href="/docs" target="_blank" rel="noopener" className="place mantine-focus-auto">
        <BookOpen size={16} />
        {uiTexts.documentation}
      </a>
      <button type="button" className="place mantine-focus-auto" onClick={() => void askToSignOut()}>
        <LogOut size={16} className="directional" />
        {t.user.signOut}
      </button>
    </ButtonPopover>
  );
}

/** Whether rows are close together, as the account says. console.css has both densities. */
function useDensity() {
  const { user } = useSuspenseQuery(sessionQuery).data;
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (density: Schemas['User']['density']) => api.patch('/auth/me', { body: { density } }),
    onSuccess: (changed) => showUser(queryClient, changed),
  });
  const density = change.isPending ? change.variables : user.density;
  // Before the rows are painted.
  useLayoutEffect(() => {
    document.documentElement.dataset['density'] = density;
  }, [density]);
  const isCompact = density === 'compact';
  return { isCompact, toggle: () => change.mutate(isCompact ? 'comfortable' : 'compact') };
}
