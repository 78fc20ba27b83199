import { describe, expect, it } from '@jest/globals';
import type { Delivery } from '@waymark/contracts';
import { answer, eventually } from '@waymark/testing';
import { useWebhookStack, type Workspace } from './webhook-stack.ts';

const stack = await useWebhookStack();

const enable = (workspace: Workspace, id: string, enabled: boolean) =>
  workspace.call('PATCH', `/webhooks/${id}`, { body: { enabled } });
const inStatus =
  (wanted: Delivery['status']) =>
  ({ status }: Delivery) =>
    status === wanted;

/** A workspace with an endpoint and `count` deliveries that wait for their retry. */
async function pending(count: number) {
  const workspace = stack.workspace();
  const webhook = await workspace.createWebhook(stack.receiver.url);
  stack.receiver.behave(answer(500));
  for (let i = 0; i < count; i += 1) await workspace.publish();
  const waiting = await workspace.deliveries(webhook.id, count, ({ attempt }) => attempt === 1);
  stack.receiver.behave(answer(200));
  return { workspace, webhook, ids: waiting.map(({ id }) => id) };
}

describe('a disabled endpoint', () => {
  it('has its pending and new deliveries held, and gets none of them', async () => {
    const { workspace, webhook } = await pending(3);
    expect((await enable(workspace, webhook.id, false)).body).toMatchObject({
      enabled: false,
      disabled_reason: 'user',
      disabled_at: new Date(stack.clock.ms).toISOString(),
    });
    await workspace.publish();
    const held = await workspace.deliveries(webhook.id, 4, inStatus('held'));
    expect(
      held.every(({ next_attempt_at, finished_at }) => next_attempt_at === null && finished_at === null),
    ).toBe(true);
    stack.clock.advance(3_600_000);
    const other = await workspace.createWebhook(stack.receiver.url);
    await workspace.publish();
    await workspace.stats(other.id, { delivered: 1 });
    expect(held.map(({ id }) => String(stack.requestsOf(id).length)).sort()).toEqual(['0', '1', '1', '1']);
    await workspace.stats(webhook.id, { accepted: 5, held: 5, pending: 0 });
  });

  it('that is enabled again gets new deliveries, and the held ones after a replay', async () => {
    const { workspace, webhook, ids } = await pending(2);
    await enable(workspace, webhook.id, false);
    await workspace.stats(webhook.id, { held: 2 });
    await enable(workspace, webhook.id, true);
    await workspace.publish();
    await workspace.stats(webhook.id, { accepted: 3, delivered: 1, held: 2 });
    const since = new Date(0).toISOString();
    const replay = { body: { since, status: 'held' } };
    expect((await workspace.call('POST', `/webhooks/${webhook.id}/replay`, replay)).body.replayed).toBe(2);
    await workspace.stats(webhook.id, { accepted: 3, delivered: 3, held: 0 });
    for (const id of ids) expect(await workspace.delivery(id)).toMatchObject({ series: 2, attempt: 1 });
  });

  it('continues with deliveries that were not held yet when it is enabled at once', async () => {
    const { workspace, webhook } = await pending(3);
    await Promise.all([enable(workspace, webhook.id, false), enable(workspace, webhook.id, true)]);
    await enable(workspace, webhook.id, true);
    stack.clock.advance(30_000);
    await eventually(async () => {
      const { accepted, delivered, held, pending } = await workspace.stats(webhook.id);
      expect({ accepted, pending, sum: delivered + held }).toEqual({ accepted: 3, pending: 0, sum: 3 });
    });
  });

  it('has its other pending deliveries held when it was disabled by its 410', async () => {
    const { workspace, webhook } = await pending(2);
    stack.receiver.behave(answer(410));
    await workspace.publish();
    await workspace.stats(webhook.id, { accepted: 3, failed: 1, held: 2, pending: 0 });
  });
});

describe('a deleted endpoint', () => {
  it('has its pending and held deliveries cancelled; they can still be read', async () => {
    const { workspace, webhook, ids } = await pending(2);
    await enable(workspace, webhook.id, false);
    await workspace.publish();
    await workspace.stats(webhook.id, { held: 3 });
    await enable(workspace, webhook.id, true);
    stack.receiver.behave(answer(500));
    await workspace.publish();
    await workspace.deliveries(webhook.id, 1, ({ status, attempt }) => status === 'pending' && attempt === 1);
    await workspace.call('DELETE', `/webhooks/${webhook.id}`);
    for (const id of ids) {
      const delivery = await workspace.delivery(id, 'cancelled');
      expect(delivery).toMatchObject({
        next_attempt_at: null,
        finished_at: new Date(stack.clock.ms).toISOString(),
      });
    }
    await eventually(async () => {
      const stats = await stack.store.counters.read(webhook.id);
      expect(stats).toMatchObject({ accepted: 4, cancelled: 4, held: 0, pending: 0 });
    });
    const sent = () => ids.flatMap((id) => stack.requestsOf(id)).length;
    const before = sent();
    stack.clock.advance(3_600_000);
    await eventually(async () =>
      expect(await stack.store.endpoints.byId(webhook.id)).toMatchObject({ settling: false }),
    );
    expect(sent()).toBe(before);
  });

  it('also cancels a delivery that is stored after it', async () => {
    const { workspace, webhook } = await pending(1);
    const endpoint = (await stack.store.endpoints.byId(webhook.id))!;
    await workspace.call('DELETE', `/webhooks/${webhook.id}`);
    await eventually(async () => {
      expect(await stack.store.counters.read(webhook.id)).toMatchObject({ cancelled: 1, pending: 0 });
    });
    // Stores a delivery as a fan-out does that read the endpoint before its deletion.
    const { newDelivery } = await import('../src/delivery/new-delivery.ts');
    const now = new Date(stack.clock.ms).toISOString();
    const { id, workspace_id } = endpoint;
    const payload = { id, type: 'decision.created', created_at: now, workspace_id, data: {} };
    await stack.store.deliveries.insertNew([newDelivery({ payload, endpoint, maxAttempts: 5, now })]);
    await eventually(async () => {
      expect(await stack.store.counters.read(webhook.id)).toMatchObject({
        accepted: 2,
        cancelled: 2,
        pending: 0,
      });
    });
  });
});
