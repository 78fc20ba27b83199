import { Lock } from 'lucide-react';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { useWorkspace } from './use-workspace.ts';

const WHO = { member: 'Members, admins and owners', admin: 'Admins and owners' };

/** Shown instead of a page that the user's role does not allow: who can use it. */
export function RoleGate({ title, role }: { title: string; role: keyof typeof WHO }) {
  const { name, role: mine } = useWorkspace();
  return (
    <Page title={title}>
      <EmptyState icon={<Lock />} title={`${WHO[role]} can do this`}>
        You are a {mine} of {name}. Its admins and owners can change your role.
      </EmptyState>
    </Page>
  );
}
