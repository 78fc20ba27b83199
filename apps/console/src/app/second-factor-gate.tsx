import { ShieldCheck } from 'lucide-react';
import { sessionTexts as t } from '../texts/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { Page } from '../ui/page.tsx';

/** Shown instead of a workspace that requires a second factor, which this session has not. */
export function SecondFactorGate({ workspace }: { workspace: string }) {
  return (
    <Page title={workspace}>
      <EmptyState
        icon={<ShieldCheck />}
        title={t.secondFactor.title}
        action={<ButtonLink to="/account">{t.secondFactor.setUp}</ButtonLink>}
      >
        {t.secondFactor.hint}
      </EmptyState>
    </Page>
  );
}
