import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@waymark/service-kit/process';
import { answer, eventually, hang, httpCall } from '@waymark/testing';
import { startWebhookStack, useWebhookStack } from './webhook-stack.ts';

const stack = await useWebhookStack({ env: { WEBHOOK_CONCURRENCY: '1' } });

async function metric(adminPort: number, name: string): Promise<Record<string, number>> {
  const { text } = await httpCall(`http://127.0.0.1:${adminPort}`, 'GET', '/metrics');
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`));
  return Object.fromEntries(
    lines.map((line) => {
      const label = /(?:state|consumer)="([^"]+)"/.exec(line)?.[1] ?? '';
      return [label, Number(line.split(' ').at(-1))];
    }),
  );
}

describe('GET /metrics', () => {
  it('returns the deliveries by state, how long the oldest has been due, and the lag of the consumer', async () => {
    const workspace = stack.workspace();
    // Its own rate does not delay its deliveries.
    const webhook = await workspace.createWebhook(stack.receiver.url, { maxPerSecond: 999 });
    const idle = await workspace.createWebhook(stack.receiver.url, { events: ['decision.deleted'] });
    await workspace.call('PATCH', `/webhooks/${idle.id}`, { body: { enabled: false } });
    await workspace.publish({ type: 'decision.deleted' });
    await workspace.stats(idle.id, { held: 1 });
    stack.receiver.behaveEach((_, n) => (n < 2 ? answer(n === 0 ? 200 : 400) : hang()));
    await workspace.publish();
    await workspace.stats(webhook.id, { delivered: 1 });
    await workspace.publish();
    await workspace.stats(webhook.id, { failed: 1 });
    for (let n = 0; n < 20; n += 1) await workspace.publish();
    await workspace.stats(webhook.id, { accepted: 22, pending: 20 });

    // A process counts at the first request, and at most every 15 s.
    expect(await metric(stack.adminPort, 'waymark_webhook_deliveries')).toEqual({
      delivered: 1,
      failed: 1,
      pending: 20,
      held: 1,
      cancelled: 0,
    });
    await eventually(async () =>
      expect(await metric(stack.adminPort, 'waymark_consumer_lag')).toEqual({ webhooks: 0 }),
    );
    stack.clock.advance(7_000);
    await eventually(async () => expect(await oldestDue()).toBeGreaterThanOrEqual(7));
  });

  it('counts as late a delivery whose secret cannot be decrypted, and says so once as an error', async () => {
    const lines: string[] = [];
    const log = createLogger('webhooks', 'warn', { write: (line) => void lines.push(line) });
    await using other = await startWebhookStack({ seams: { log } });
    const workspace = other.workspace();
    const webhook = await workspace.createWebhook(other.receiver.url);
    await other.stopService();
    const key = randomBytes(32).toString('base64');
    const wrong = await other.replica({ WEBHOOK_ENCRYPTION_KEYS: key });
    const deliveries = other.database.collection('deliveries');
    await workspace.publishMany(3);
    await eventually(async () => expect(await deliveries.countDocuments({ status: 'pending' })).toBe(3));
    for (let n = 1; n <= 3; n += 1) {
      other.clock.advance(100_000);
      await eventually(async () => expect(await oldestDue(wrong.adminPort)).toBe(n * 100));
    }
    const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([
      {
        msg: 'the secret of a webhook cannot be decrypted; its deliveries wait',
        webhook_id: webhook.id,
        err: { message: expect.stringMatching(/^WEBHOOK_ENCRYPTION_KEYS lacks the key/) },
      },
    ]);
    expect(lines.filter((line) => line.includes('sending was interrupted'))).toEqual([]);
    await wrong.stop();
    await other.replica();
    await eventually(async () => expect(await deliveries.countDocuments({ status: 'delivered' })).toBe(3));
  });

  it('does not count as late a delivery that waits for the own rate of its endpoint', async () => {
    await using other = await startWebhookStack({
      env: { WEBHOOK_CONCURRENCY: '1', WEBHOOK_TIMEOUT_MS: '30000' },
    });
    const replica = await other.replica();
    const workspace = other.workspace();
    const paced = await workspace.createWebhook(other.receiver.url, { maxPerSecond: 1 });
    await workspace.publishMany(40);
    await workspace.stats(paced.id, { accepted: 40 });
    other.clock.advance(100_000);
    const { workspace_id } = paced;
    const late = { workspace_id, queue: 'an endpoint without one', due_at: other.clock.inMs(-7_000) };
    await other.database.collection('deliveries').insertOne(late);
    for (const port of [other.adminPort, replica.adminPort])
      await eventually(async () => expect(await oldestDue(port)).toBe(7));
  });
});

async function oldestDue(port = stack.adminPort): Promise<number> {
  const { text } = await httpCall(`http://127.0.0.1:${port}`, 'GET', '/metrics');
  return Number(/^waymark_webhook_oldest_due_seconds\S* (\S+)$/m.exec(text)?.[1]);
}
