import { Lock } from 'lucide-react';
import { sessionTexts as t } from '../texts/session.ts';
import { wordsTexts } from '../texts/words.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { useWorkspace } from './use-workspace.ts';

/** Shown instead of a page that the user's role does not allow: who can use it. */
export function RoleGate(props: { page: keyof typeof t.pages; role: keyof typeof t.role.needed }) {
  const { name, role } = useWorkspace();
  return (
    <Page title={t.pages[props.page]}>
      <EmptyState
        icon={<Lock />}
        title={t.role.needed[props.role]}
        hint={t.role.yours(wordsTexts.role[role], name)}
      />
    </Page>
  );
}
