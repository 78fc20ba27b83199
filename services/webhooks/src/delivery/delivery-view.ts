import { Delivery, type DeliveryWithAttempts } from '@waymark/contracts';
import { pickFields } from '@waymark/service-kit/http';
import type { DeliveryRecord } from '../store/index.ts';

export function deliveryView(delivery: DeliveryRecord): Delivery {
  return pickFields(Delivery, delivery);
}

export function deliveryWithAttempts(delivery: DeliveryRecord): DeliveryWithAttempts {
  const { attempts, payload, sent } = delivery;
  return { ...deliveryView(delivery), payload: JSON.parse(payload), body: sent ?? payload, attempts };
}
