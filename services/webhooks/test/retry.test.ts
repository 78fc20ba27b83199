import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Delivery, DeliveryWithAttempts } from '@waymark/contracts';
import { answer, eventually } from '@waymark/testing';
import { startWebhookStack, useWebhookStack, type Workspace } from './webhook-stack.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const stack = await useWebhookStack();

/** Returns a delivery once it has `count` attempts in total. */
const attempted = (workspace: Workspace, id: string, count: number): Promise<DeliveryWithAttempts> =>
  eventually(async () => {
    const delivery = await workspace.delivery(id);
    expect(delivery.attempts).toHaveLength(count);
    return delivery;
  });

describe('the life of a delivery', () => {
  beforeEach(() => stack.renewReceiver());

  it('has five attempts: at once, then 30 s, 2 min, 10 min and 1 h after each failure, not a moment earlier', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    stack.receiver.behave(answer(500));
    const publish = async () => {
      const { id: eventId } = await workspace.publish();
      const isTried = ({ attempt, event_id }: Delivery) => event_id === eventId && attempt === 1;
      return (await workspace.deliveries(webhook.id, 1, isTried))[0]!.id;
    };
    // The scout is a millisecond older: once its retry has arrived, the sweep has found everything due by
    // then.
    const scout = await publish();
    stack.clock.advance(1);
    const id = await publish();
    const startedAt = [stack.clock.inMs(0)];

    for (const [i, delayMs] of [30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS].entries()) {
      const waiting = await workspace.delivery(id);
      expect(waiting).toMatchObject({
        status: 'pending',
        attempt: i + 1,
        max_attempts: 5,
        next_attempt_at: stack.clock.inMs(delayMs),
      });
      stack.clock.advance(delayMs - 1);
      await attempted(workspace, scout, i + 2);
      expect((await workspace.delivery(id)).attempts).toHaveLength(i + 1);
      stack.clock.advance(1);
      startedAt.push(stack.clock.inMs(0));
      await attempted(workspace, id, i + 2);
    }

    const failed = await workspace.delivery(id, 'failed');
    expect(failed).toMatchObject({
      attempt: 5,
      series: 1,
      next_attempt_at: null,
      finished_at: stack.clock.inMs(0),
    });
    expect(failed.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
    expect(failed.attempts.map(({ started_at }) => started_at)).toEqual(startedAt);
    const requests = stack.requestsOf(id);
    expect(requests).toHaveLength(5);
    expect(requests.map(({ headers }) => Number(headers['x-waymark-timestamp']))).toEqual(
      startedAt.map((time) => Math.floor(Date.parse(time) / 1000)),
    );
    expect(new Set(requests.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['x-waymark-signature'])).size).toBe(5);
    await workspace.stats(webhook.id, { accepted: 2, failed: 2, pending: 0 });
  });

  it('ends with the first success', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    stack.receiver.behaveEach((_, n) => answer(n < 2 ? 503 : 200));
    await workspace.publish();
    const { id } = await workspace.firstDelivery(webhook.id);
    stack.clock.advance(30_000);
    await attempted(workspace, id, 2);
    stack.clock.advance(2 * MINUTE_MS);
    const delivered = await workspace.delivery(id, 'delivered');
    expect(delivered.attempts.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(delivered.finished_at).toBe(stack.clock.inMs(0));
  });

  it('may be configured longer: the sixth attempt waits the 6 h of the schedule', async () => {
    const env = { WEBHOOK_MAX_ATTEMPTS: '7', WEBHOOK_RETRY_DELAYS_SECONDS: '1,2,21600' };
    await using other = await startWebhookStack({ env, seams: { random: () => 1 } });
    const workspace = other.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    stack.receiver.behave(answer(500));
    await workspace.publish();
    const { id } = await workspace.firstDelivery(webhook.id);
    const delaysMs = [1_100, 2_200, 6.6 * HOUR_MS, 6.6 * HOUR_MS, 6.6 * HOUR_MS, 6.6 * HOUR_MS];
    for (const [i, delayMs] of delaysMs.entries()) {
      const { next_attempt_at } = await attempted(workspace, id, i + 1);
      expect(Date.parse(next_attempt_at!) - other.clock.ms).toBe(delayMs);
      other.clock.advance(delayMs);
    }
    expect(await workspace.delivery(id, 'failed')).toMatchObject({ attempt: 7, max_attempts: 7 });
  });
});
