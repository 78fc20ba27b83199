import { describe, expect, it } from '@jest/globals';
import { answer } from '@waymark/testing';
import { useWebhookStack } from './webhook-stack.ts';

const DAY_MS = 86_400_000;

const stack = await useWebhookStack({ env: { WEBHOOK_RETENTION_DAYS: '10' } });

describe('retention', () => {
  it('applies to finished deliveries only, not to pending or held ones, nor to the counts', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    const disabled = await workspace.createWebhook(stack.receiver.url, { events: ['decision.deleted'] });
    await workspace.call('PATCH', `/webhooks/${disabled.id}`, { body: { enabled: false } });
    await workspace.publish({ type: 'decision.deleted' });
    stack.receiver.behaveEach((_, n) => answer([200, 400, 500][n]));
    for (let n = 1; n <= 3; n += 1) {
      await workspace.publish();
      await workspace.deliveries(webhook.id, n, ({ attempt }) => attempt === 1);
    }
    await workspace.stats(disabled.id, { held: 1 });

    const deliveries = stack.database.collection('deliveries');
    const indexes = await deliveries.indexes();
    const ttl = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
    expect(ttl).toMatchObject([{ key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
    // MongoDB removes a document by this index, within a minute after that time.
    const expired = { expires_at: { $lte: new Date(stack.clock.ms + 10 * DAY_MS) } };
    const ageing = await deliveries
      .find({ workspace_id: workspace.id, webhook_id: webhook.id, ...expired })
      .toArray();
    expect(ageing.map(({ status }) => String(status)).sort()).toEqual(['delivered', 'failed']);
    await deliveries.deleteMany({ workspace_id: workspace.id, ...expired });
    await workspace.stats(webhook.id, { accepted: 3, delivered: 1, failed: 1, pending: 1 });
    expect(await workspace.deliveries(webhook.id)).toMatchObject([{ status: 'pending' }]);
  });

  it('begins when a delivery has finished, and again with a replay', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    stack.receiver.behave(answer(400));
    await workspace.publish();
    await workspace.stats(webhook.id, { failed: 1 });
    const stored = () => stack.database.collection('deliveries').findOne({ webhook_id: webhook.id });
    const { _id, expires_at } = (await stored())!;
    expect(expires_at).toEqual(new Date(stack.clock.ms + 10 * DAY_MS));
    stack.receiver.behave(answer(500));
    await workspace.call('POST', `/deliveries/${String(_id)}/replay`);
    await workspace.deliveries(webhook.id, 1, ({ attempt, series }) => series === 2 && attempt === 1);
    expect(await stored()).not.toHaveProperty('expires_at');
  });
});
