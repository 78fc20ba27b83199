import { Delivery, type DeliveryWithAttempts } from '@waymark/contracts';
import { pickFields } from '../pick-fields.ts';
import type { DeliveryRecord } from '../store/index.ts';

/** A delivery as the API lists it. */
export function deliveryView(delivery: DeliveryRecord): Delivery {
  return pickFields(Delivery, delivery);
}

export function deliveryWithAttempts(delivery: DeliveryRecord): DeliveryWithAttempts {
  const { attempts, payload } = delivery;
  return { ...deliveryView(delivery), payload: JSON.parse(payload), body: payload, attempts };
}
