import { describe, expect, it } from '@jest/globals';
import { firstIdAt, newId } from '@waymark/contracts';
import { deliveryIdOf } from './new-delivery.ts';

describe('deliveryIdOf', () => {
  const [event, webhook] = [newId(), newId()];

  it('is a UUIDv7 of the time, the same for the same event and endpoint', () => {
    const id = deliveryIdOf(event, webhook, 1_700_000_000_000);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(deliveryIdOf(event, webhook, 1_700_000_000_000)).toBe(id);
    expect(id.slice(0, 13)).toBe(firstIdAt(1_700_000_000_000).slice(0, 13));
  });

  it('differs by event and by endpoint, and sorts by time', () => {
    const ids = [
      deliveryIdOf(event, webhook, 1_000),
      deliveryIdOf(newId(), webhook, 1_000),
      deliveryIdOf(event, newId(), 1_000),
    ];
    expect(new Set(ids).size).toBe(3);
    expect(deliveryIdOf(event, webhook, 1_001) > ids[0]!).toBe(true);
    expect(ids.every((id) => id >= firstIdAt(1_000))).toBe(true);
  });
});
