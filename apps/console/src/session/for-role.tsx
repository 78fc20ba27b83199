import type { sessionTexts } from '../texts/session.ts';
import { lazyPage } from '../ui/lazy-page.ts';
import { useWorkspace } from './use-workspace.ts';

const RoleGate = lazyPage(() => import('./role-gate.tsx'), 'RoleGate');

/** A page for this role and higher ones. Others read who can use it, and the page requests nothing. */
export function forRole(
  role: 'member' | 'admin',
  page: keyof typeof sessionTexts.pages,
  Page: ReturnType<typeof lazyPage>,
) {
  const Gated = () => (useWorkspace().may(role) ? <Page /> : <RoleGate page={page} role={role} />);
  return Object.assign(Gated, { preload: () => Page.preload?.() });
}
