import type { Schemas } from '@waymark/client/api';
import { StatusBadge } from '../../ui/status-badge.tsx';

const DISABLED = {
  user: 'disabled',
  gone: 'disabled: it answered 410',
  failing: 'disabled: five days of failures',
} as const;

export function EndpointState({ webhook }: { webhook: Schemas['Webhook'] }) {
  if (!webhook.enabled) {
    return <StatusBadge color="gray">{DISABLED[webhook.disabled_reason ?? 'user']}</StatusBadge>;
  }
  if (webhook.failing_since !== null) return <StatusBadge color="red">failing</StatusBadge>;
  return <StatusBadge color="teal">enabled</StatusBadge>;
}
