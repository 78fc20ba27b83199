import type { Schemas } from '@waymark/client/api';
import { webhooksTexts as t } from '../../texts/webhooks.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

export function EndpointState({ webhook }: { webhook: Schemas['Webhook'] }) {
  if (!webhook.enabled) {
    return <StatusBadge color="gray">{t.states.disabled[webhook.disabled_reason ?? 'user']}</StatusBadge>;
  }
  if (webhook.failing_since !== null) return <StatusBadge color="red">{t.states.failing}</StatusBadge>;
  return <StatusBadge color="teal">{t.states.enabled}</StatusBadge>;
}

/** The URL of an endpoint; without its path for a chat, because the path lets anyone write there. */
export const shownUrl = ({ format, url }: Schemas['Webhook']): string =>
  format === 'waymark' ? url : `${new URL(url).origin}/…${url.slice(-4)}`;
