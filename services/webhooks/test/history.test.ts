import { describe, expect, it } from '@jest/globals';
import type { WebhookHour, WebhookStats } from '@waymark/contracts';
import { answer } from '@waymark/testing';
import { historyWrites } from '../src/store/history.ts';
import { useWebhookStack, type Workspace } from './webhook-stack.ts';

const HOUR_MS = 3_600_000;

const stack = await useWebhookStack();

const hourNow = () => new Date(Math.floor(stack.clock.ms / HOUR_MS) * HOUR_MS).toISOString();
const history = async (workspace: Workspace, id: string): Promise<WebhookHour[]> =>
  ((await workspace.call('GET', `/webhooks/${id}/stats`)).body as WebhookStats).history;

describe('GET /webhooks/{id}/stats: history', () => {
  it('counts every attempt in the hour it began in, for 7 days', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    expect(await history(workspace, webhook.id)).toEqual([]);

    stack.clock.ms = Math.ceil(stack.clock.ms / HOUR_MS) * HOUR_MS;
    stack.receiver.behaveEach((_, n) => answer([200, 200, 500, 400][n] ?? 200));
    for (let n = 1; n <= 4; n += 1) {
      await workspace.publish();
      await workspace.deliveries(webhook.id, n, ({ attempt }) => attempt === 1);
    }
    const first = hourNow();
    const [only, ...none] = await history(workspace, webhook.id);
    expect(none).toEqual([]);
    expect(only).toMatchObject({ hour: first, attempts_succeeded: 2, attempts_failed: 2 });
    const { average, p50, p95, max } = only!.latency_ms;
    expect(max).toBeGreaterThanOrEqual(p95);
    expect(p95).toBeGreaterThanOrEqual(p50);
    expect(max).toBeGreaterThanOrEqual(average);

    // The retry after the 500 is an attempt in the next hour.
    stack.clock.advance(HOUR_MS);
    await workspace.stats(webhook.id, { delivered: 3, failed: 1, pending: 0 });
    expect(await history(workspace, webhook.id)).toMatchObject([
      { hour: first, attempts_succeeded: 2, attempts_failed: 2 },
      { hour: hourNow(), attempts_succeeded: 1, attempts_failed: 0 },
    ]);

    stack.clock.advance(167 * HOUR_MS);
    expect(await history(workspace, webhook.id)).toMatchObject([{ attempts_succeeded: 1 }]);
    stack.clock.advance(HOUR_MS);
    expect(await history(workspace, webhook.id)).toEqual([]);
  });

  it('returns percentiles that are right to a tenth, however an hour is split over documents', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    await workspace.publish();
    await workspace.stats(webhook.id, { delivered: 1 });
    const deliveries = stack.database.collection<{ _id: string }>('deliveries');
    const hour = hourNow();
    const written = { _id: { $regex: `^history/${webhook.id}/` } } as never;
    const [document] = await deliveries.find(written).toArray();
    expect(document).toMatchObject({
      workspace_id: workspace.id,
      expires_at: new Date(Date.parse(hour) + 7 * 24 * HOUR_MS),
    });
    await deliveries.deleteMany(written);

    // 1 to 1,000 ms, one attempt each, recorded a few at a time.
    const claimed = { webhook_id: webhook.id, workspace_id: workspace.id };
    const results = Array.from({ length: 1_000 }, (_, n) => ({
      claimed,
      status: 'delivered',
      attempt: { started_at: hour, latency_ms: n + 1 },
    }));
    for (let n = 0; n < 1_000; n += 50)
      await deliveries.bulkWrite(historyWrites(results.slice(n, n + 50) as never, n % 16) as never);
    const [{ latency_ms, ...counts }] = (await history(workspace, webhook.id)) as [WebhookHour];
    expect(counts).toEqual({ hour, attempts_succeeded: 1_000, attempts_failed: 0 });
    expect(latency_ms).toMatchObject({ average: 501, max: 1_000 });
    for (const [share, found] of [
      [500, latency_ms.p50],
      [950, latency_ms.p95],
    ] as const) {
      expect(found).toBeGreaterThanOrEqual(share);
      expect(found).toBeLessThanOrEqual(share * 1.1);
    }
  });
});
