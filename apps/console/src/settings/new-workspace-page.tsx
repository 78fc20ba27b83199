import { Page } from '../ui/page.tsx';

export function NewWorkspacePage() {
  return <Page title="New workspace">Soon.</Page>;
}
