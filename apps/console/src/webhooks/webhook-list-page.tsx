import { Page } from '../ui/page.tsx';

export function WebhookListPage() {
  return <Page title="Webhooks">Soon.</Page>;
}
