import { ListChecks } from 'lucide-react';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

export function DecisionListPage() {
  return (
    <Page title="Decisions">
      <EmptyState icon={<ListChecks />} title="No decisions yet">
        Write down what you decide and why.
      </EmptyState>
    </Page>
  );
}
