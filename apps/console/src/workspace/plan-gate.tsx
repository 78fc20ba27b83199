import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { sessionTexts as t } from '../texts/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { useWorkspace } from './use-workspace.ts';

/** Shown instead of a feature that the workspace's plan does not include: what it does and how to upgrade. */
export function PlanGate({ feature, children }: { feature: string; children: ReactNode }) {
  const { id, plan, may } = useWorkspace();
  const action = may('owner') && (
    <ButtonLink to="/w/$workspaceId/settings" params={{ workspaceId: id }}>
      {t.plan.see}
    </ButtonLink>
  );
  return (
    <EmptyState
      icon={<Lock />}
      title={t.plan.needed(feature)}
      action={action}
      hint={
        <>
          {children} {t.plan.yours(plan)} {!may('owner') && t.plan.askOwner}
        </>
      }
    />
  );
}
