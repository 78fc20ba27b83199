import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { answer, type Behaviour } from '@waymark/testing';
import type { AttemptResult } from '../src/store/index.ts';
import { useWebhookStack } from './webhook-stack.ts';

const stack = await useWebhookStack({ replicas: 3 });

/** Returns how often each delivery was sent. */
function timesSent(): Map<string, number> {
  const times = new Map<string, number>();
  for (const { headers } of stack.receiver.requests) {
    const id = String(headers['webhook-id']);
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  return times;
}

describe('three replicas', () => {
  it('send each delivery once, and each retry once, however they race for it', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    const sending = new Map<string, number>();
    let most = 0;
    const failThen: Behaviour = ({ headers }, response) => {
      const id = String(headers['webhook-id']);
      sending.set(id, (sending.get(id) ?? 0) + 1);
      most = Math.max(most, sending.get(id)!);
      response.on('close', () => sending.set(id, sending.get(id)! - 1));
      setImmediate(() => response.writeHead(timesSent().get(id)! < 3 ? 503 : 200).end());
    };
    stack.receiver.behave(failThen);
    const count = 150;
    await workspace.publishMany(count);
    for (const [attempt, delayMs] of [30_000, 120_000].entries()) {
      await workspace.deliveries(webhook.id, count, (delivery) => delivery.attempt === attempt + 1);
      stack.clock.advance(delayMs);
    }
    await workspace.stats(webhook.id, { accepted: count, delivered: count, pending: 0 });
    expect([...timesSent().values()].filter((times) => times !== 3)).toEqual([]);
    expect(timesSent().size).toBe(count);
    expect(most).toBe(1);
  });
});

describe('a lease', () => {
  /** Has a process that is not a replica claim a delivery that waits for its retry. */
  async function claimedElsewhere() {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    stack.receiver.behave(answer(500));
    await workspace.publish();
    const { id } = (await workspace.deliveries(webhook.id, 1, ({ attempt }) => attempt === 1))[0]!;
    stack.receiver.behave(answer(200));
    const dueMs = stack.clock.ms + 30_000;
    const endpoint = { id: webhook.id, workspace_id: workspace.id };
    const untilMs = dueMs + 20_000;
    const claim = async (atMs: number, bytes = 1_000_000) => {
      const now = new Date(atMs).toISOString();
      const lease = newId();
      return stack.store.claims.claim(endpoint, { limit: 10, bytes, now, lease, untilMs: atMs + 20_000 });
    };
    const { claimed } = await claim(dueMs);
    expect(claimed).toHaveLength(1);
    return { workspace, webhook, id, claimed: claimed[0]!, dueMs, untilMs, claim };
  }

  const resultOf = (claimed: AttemptResult['claimed']): AttemptResult => ({
    claimed,
    attempt: {
      series: 1,
      attempt: claimed.attempt + 1,
      started_at: new Date(stack.clock.ms).toISOString(),
      latency_ms: 1,
      status: 200,
      error: null,
      request: null,
      response_headers: null,
      response_body: 'late',
    },
    status: 'delivered',
    next_attempt_at: null,
    finished_at: new Date(stack.clock.ms).toISOString(),
  });

  it('of a process that died can be claimed when it ends, and a late result does not count', async () => {
    const { workspace, webhook, id, claimed, untilMs } = await claimedElsewhere();
    const other = await workspace.createWebhook(stack.receiver.url);
    stack.clock.ms = untilMs - 1;
    await workspace.publish();
    await workspace.stats(other.id, { delivered: 1 });
    expect(timesSent().get(id)).toBe(1);
    expect((await workspace.delivery(id)).status).toBe('pending');
    stack.clock.ms = untilMs;
    const delivered = await workspace.delivery(id, 'delivered');
    expect(delivered.attempts.map(({ response_body }) => response_body)).toEqual(['', '']);
    expect(await stack.store.claims.record([resultOf(claimed)])).toEqual([false]);
    expect(await workspace.delivery(id)).toEqual(delivered);
    await workspace.stats(webhook.id, { accepted: 2, delivered: 2 });
  });

  it('decides for each result in a batch whether it counts', async () => {
    const one = await claimedElsewhere();
    const two = await claimedElsewhere();
    const stale = { ...one.claimed, lease: newId() };
    const written = await stack.store.claims.record([resultOf(stale), resultOf(two.claimed)]);
    expect(written).toEqual([false, true]);
    expect(await one.workspace.delivery(one.id)).toMatchObject({ status: 'pending', attempt: 1 });
    expect(await two.workspace.delivery(two.id)).toMatchObject({ status: 'delivered', attempt: 2 });
    await one.workspace.stats(one.webhook.id, { pending: 1, delivered: 0 });
    await two.workspace.stats(two.webhook.id, { pending: 0, delivered: 1 });
  });

  it('covers as many deliveries as fit in memory', async () => {
    const { claimed, workspace, webhook, dueMs, claim } = await claimedElsewhere();
    await stack.store.claims.release([claimed], stack.clock.inMs(30_000));
    stack.receiver.behave(answer(500));
    await workspace.publish();
    await workspace.publish();
    await workspace.deliveries(webhook.id, 3, ({ attempt }) => attempt === 1);
    const size = Buffer.byteLength(claimed.payload);
    const fitting = (bytes: number) => claim(dueMs + 1, bytes);
    expect(await fitting(size - 1)).toEqual({ claimed: [], isMore: false });
    expect(await fitting(2 * size - 1)).toMatchObject({ claimed: { length: 1 }, isMore: true });
    expect(await fitting(2 * size)).toMatchObject({ claimed: { length: 2 }, isMore: false });
    expect(await fitting(size)).toEqual({ claimed: [], isMore: false });
  });

  it('can only be prolonged and released by its holder', async () => {
    const { claimed, dueMs, untilMs, claim, workspace, id } = await claimedElsewhere();
    const stranger = { ...claimed, lease: newId() };
    expect(await stack.store.claims.renew(stranger, untilMs + 60_000)).toBe(false);
    expect(await stack.store.claims.renew(claimed, untilMs + 60_000)).toBe(true);
    expect((await claim(untilMs)).claimed).toEqual([]);
    await stack.store.claims.release([stranger], new Date(dueMs).toISOString());
    expect((await claim(untilMs)).claimed).toEqual([]);
    await stack.store.claims.release([claimed], new Date(dueMs).toISOString());
    expect((await claim(untilMs)).claimed).toHaveLength(1);
    expect(await workspace.delivery(id)).toMatchObject({ status: 'pending' });
  });
});
