import { Page } from '../ui/page.tsx';

export function WorkflowListPage() {
  return <Page title="Workflows">Soon.</Page>;
}
