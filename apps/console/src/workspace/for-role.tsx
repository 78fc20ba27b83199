import type { sessionTexts } from '../texts/session.ts';
import { lazyPage } from '../ui/lazy-page.ts';
import { useWorkspace } from './use-workspace.ts';

const RoleGate = lazyPage(() => import('./role-gate.tsx'), 'RoleGate');

/** A page for this role and higher ones. Others get another page, or read who can use it. */
export function forRole(
  role: 'member' | 'admin',
  forOthers: keyof typeof sessionTexts.pages | ReturnType<typeof lazyPage>,
  Page: ReturnType<typeof lazyPage>,
) {
  const Others = typeof forOthers === 'string' ? () => <RoleGate page={forOthers} role={role} /> : forOthers;
  const Gated = () => (useWorkspace().may(role) ? <Page /> : <Others />);
  return Object.assign(Gated, { preload: () => Page.preload?.() });
}
