import { describe, expect, it } from '@jest/globals';
import { firstIdAt, newId } from '@waymark/contracts';
import { deliveryIdOf, newDelivery, payloadOf } from './new-delivery.ts';

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

describe('newDelivery', () => {
  const time = '2026-01-01T00:00:00.000Z';
  const event = {
    id: 'e',
    type: 'decision.created',
    time,
    data: { title: 'ü' },
    actor: { type: 'user' },
  } as const;
  const endpoint = { id: 'endpoint', workspace_id: 'ws' };

  it('has the five documented fields as its payload and not the caller, and is due at once', () => {
    const payload = payloadOf(event, 'ws');
    const delivery = newDelivery({ payload, endpoint, maxAttempts: 5, now: time });
    expect(JSON.parse(delivery.payload)).toEqual({
      id: 'e',
      type: 'decision.created',
      created_at: time,
      workspace_id: 'ws',
      data: { title: 'ü' },
    });
    expect(delivery).toMatchObject({ queue: 'endpoint', due_at: time, lease: null, event_id: 'e' });
  });
});
