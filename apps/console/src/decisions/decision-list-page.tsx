import { Page } from '../ui/page.tsx';

export function DecisionListPage() {
  return <Page title="Decisions">Soon.</Page>;
}
