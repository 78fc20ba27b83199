import { describe, expect, it } from '@jest/globals';
import { eventually, sampleEvent } from '@waymark/testing';
import { deliveryIdOf } from '../src/delivery/new-delivery.ts';
import { useWebhookStack } from './webhook-stack.ts';

const stack = await useWebhookStack();

/** Opens a transaction as a killed process leaves it, before MongoDB aborts it. */
async function withOpenTransaction(id: string, during: () => Promise<void>): Promise<void> {
  await stack.database.client.withSession(async (session) => {
    session.startTransaction();
    const documents = stack.database.collection<{ _id: string; left?: boolean }>('deliveries');
    await documents.updateOne({ _id: id }, { $set: { left: true } }, { upsert: true, session });
    await during();
    await session.abortTransaction();
  });
}

describe('a transaction that a crash left open', () => {
  it('on a delivery delays that delivery and no other', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    const event = sampleEvent({ workspace_id: workspace.id, time: new Date(stack.clock.ms).toISOString() });
    const id = deliveryIdOf(event.id, webhook.id, stack.clock.ms);
    await withOpenTransaction(id, async () => {
      await Promise.all([stack.publish(event), workspace.publishMany(30)]);
      await workspace.stats(webhook.id, { accepted: 30, delivered: 30 });
      await workspace.publish();
      await workspace.stats(webhook.id, { accepted: 31, delivered: 31 });
    });
    await workspace.delivery(id, 'delivered');
    await workspace.stats(webhook.id, { accepted: 32, delivered: 32 });
    expect(stack.receiver.requests).toHaveLength(32);
  });

  it('on a counter delays nothing', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    await withOpenTransaction(`counter/${webhook.id}/fan_out/3`, async () => {
      await withOpenTransaction(`counter/${webhook.id}/results/4`, async () => {
        for (let n = 1; n <= 20; n += 1) {
          await workspace.publish();
          await workspace.stats(webhook.id, { accepted: n, delivered: n });
        }
      });
    });
    await eventually(async () => expect(await workspace.stats(webhook.id)).toMatchObject({ accepted: 20 }));
  });
});
