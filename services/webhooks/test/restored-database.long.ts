import { describe, expect, it } from '@jest/globals';
import { openParkedEvents } from '@waymark/service-kit/events';
import { backUp, eventually } from '@waymark/testing';
import { useWebhookStack } from './webhook-stack.ts';

const stack = await useWebhookStack({ seams: { recordMs: 50 } });

describe('a database that was restored to an older state', () => {
  it('is older than the event stream; a refill sends the lost deliveries again, under their ids', async () => {
    const positions = stack.database.collection<{ _id: string; sequence: number }>('consumer_positions');
    const recorded = async () => (await positions.findOne({ _id: 'webhooks' }))?.sequence;
    const older = async () => {
      const text = await (await fetch(`http://127.0.0.1:${stack.adminPort}/metrics`)).text();
      return /^waymark_database_older\{consumer="webhooks",.*\} (\d)$/m.exec(text)?.[1];
    };
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    const kept = await workspace.publish();
    await workspace.stats(webhook.id, { delivered: 1 });
    const before = await eventually(async () => {
      const sequence = await recorded();
      expect(sequence).toBeGreaterThanOrEqual(2);
      return sequence!;
    });
    const restore = await backUp(stack.database, ['deliveries', 'consumer_positions']);
    const lost = await workspace.publish();
    await workspace.stats(webhook.id, { delivered: 2 });
    await eventually(async () => expect(await recorded()).toBe(before + 1));
    await restore();
    await eventually(async () => expect(await older()).toBe('1'));

    const operator = await openParkedEvents(stack.env);
    expect(await operator.refill('webhooks')).toBe(true);
    await operator.close();
    await workspace.stats(webhook.id, { accepted: 2, delivered: 2 });
    await eventually(async () => expect(await older()).toBe('0'));
    const ids = (id: string) =>
      stack.receiver.requests
        .filter(({ body }) => body.id === id)
        .map(({ headers }) => headers['webhook-id']);
    expect(ids(kept.id)).toHaveLength(1);
    expect(ids(lost.id)).toHaveLength(2);
    expect(new Set(ids(lost.id)).size).toBe(1);
  });
});
