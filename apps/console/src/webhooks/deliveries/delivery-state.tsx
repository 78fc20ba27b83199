import { deliveriesTexts as t } from '../../texts/deliveries.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { DeliveryStatus } from './delivery-filters.ts';

const COLORS: Record<DeliveryStatus, string> = {
  pending: 'blue',
  delivered: 'teal',
  failed: 'red',
  held: 'yellow',
  cancelled: 'gray',
};

export function DeliveryState({ status }: { status: DeliveryStatus }) {
  return <StatusBadge color={COLORS[status]}>{t.status[status]}</StatusBadge>;
}
