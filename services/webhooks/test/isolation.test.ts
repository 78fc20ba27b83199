import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  answer,
  eventually,
  hang,
  sampleDecision,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@waymark/testing';
import { startWebhookStack, type WebhookStack } from './webhook-stack.ts';

let stack: WebhookStack;
let slow: WebhookReceiver;

beforeEach(async () => {
  slow = await startWebhookReceiver();
});
afterEach(async () => {
  await slow.stop();
  await stack.stop();
});

describe('a slow endpoint', () => {
  it('delays no other endpoint, and gets no more attempts at once than its limit', async () => {
    stack = await startWebhookStack({ env: { WEBHOOK_CONCURRENCY: '8' } });
    const workspace = stack.workspace();
    slow.behave(hang());
    const hanging = await workspace.createWebhook(slow.url);
    const fast = await workspace.createWebhook(stack.receiver.url);
    await workspace.publishMany(100);
    await workspace.stats(fast.id, { accepted: 100, delivered: 100 });
    await workspace.stats(hanging.id, { accepted: 100, pending: 100 });
    expect(slow.open()).toBe(8);
    expect(slow.requests).toHaveLength(8);
  });

  it('gets fewer attempts at once while it does not answer, and more again when it does', async () => {
    stack = await startWebhookStack({ env: { WEBHOOK_CONCURRENCY: '16' } });
    const workspace = stack.workspace();
    const waiting: ServerResponse[] = [];
    let most = 0;
    slow.behave((_, response) => {
      waiting.push(response);
      most = Math.max(most, waiting.length);
    });
    const webhook = await workspace.createWebhook(slow.url);
    await workspace.publishMany(60);
    await workspace.stats(webhook.id, { accepted: 60 });
    await eventually(() => waiting.length === 16);
    for (const response of waiting.splice(0)) response.socket?.destroy();
    await workspace.deliveries(webhook.id, 16, ({ attempt }) => attempt === 1);
    await eventually(() => waiting.length === 4);
    most = 0;
    for (let n = 17; n <= 24; n += 1) {
      waiting.shift()!.socket?.destroy();
      await workspace.deliveries(webhook.id, n, ({ attempt }) => attempt === 1);
      await eventually(() => waiting.length === 4);
    }
    expect(most).toBe(4);
    for (let n = 1; n <= 12; n += 1) {
      waiting.shift()!.end();
      await eventually(() => waiting.length === 4 + n);
    }
    for (let n = 1; n <= 3; n += 1) {
      waiting.shift()!.end();
      await workspace.stats(webhook.id, { delivered: 12 + n });
      await eventually(() => waiting.length === 16);
    }
    expect(most).toBe(16);
  });
});

describe('a workspace of slow endpoints', () => {
  it('makes no more attempts at once than its share, delays no other workspace, and gets the rest when they answer', async () => {
    const env = { WEBHOOK_WORKSPACE_CONCURRENCY: '16', WEBHOOK_TOTAL_CONCURRENCY: '32' };
    stack = await startWebhookStack({ env });
    const [workspace, other] = [stack.workspace(), stack.workspace()];
    const waiting: ServerResponse[] = [];
    slow.behave((_, response) => {
      waiting.push(response);
    });
    const hanging = await Promise.all([1, 2, 3, 4].map((n) => workspace.createWebhook(`${slow.url}/${n}`)));
    const fast = await other.createWebhook(stack.receiver.url);
    await workspace.publishMany(40);
    for (const { id } of hanging) await workspace.stats(id, { accepted: 40 });
    // Three eighths of the total: a workspace takes at most as much as it leaves outside of the reserve.
    await eventually(() => waiting.length === 12);
    await other.publishMany(50);
    await other.stats(fast.id, { accepted: 50, delivered: 50 });
    expect(waiting).toHaveLength(12);

    slow.behave(answer());
    for (const response of waiting) response.end();
    for (const { id } of hanging) await workspace.stats(id, { delivered: 40, pending: 0 });
  });
});

describe('an endpoint that hangs with large payloads', () => {
  const LARGE = 'x'.repeat(890_000);

  it('has its share of the memory for payloads, and gets all of them when it answers', async () => {
    stack = await startWebhookStack();
    const workspace = stack.workspace();
    const waiting: ServerResponse[] = [];
    slow.behave((_, response) => {
      waiting.push(response);
    });
    const large = await workspace.createWebhook(slow.url, { events: ['decision.updated'] });
    const small = await workspace.createWebhook(`${slow.url}/small`);
    const data = sampleDecision({ workspace_id: workspace.id, description: LARGE });
    for (let n = 0; n < 16; n += 1) await workspace.publish({ type: 'decision.updated', data });
    await workspace.stats(large.id, { accepted: 16 });
    // As many as fit in the 8 MiB of a queue.
    await eventually(() => waiting.length === 9);
    await workspace.publishMany(40);
    await workspace.stats(small.id, { accepted: 40 });
    const leased = (webhook_id: string) =>
      stack.database.collection('deliveries').countDocuments({ webhook_id, lease: { $ne: null } });
    expect(await leased(small.id)).toBe(40);
    expect(await leased(large.id)).toBe(9);

    slow.behave(answer());
    for (const response of waiting) response.end();
    await workspace.stats(large.id, { delivered: 16, pending: 0 });
    await workspace.stats(small.id, { delivered: 40, pending: 0 });
    expect(slow.requests).toHaveLength(56);
  });
});

describe('a rate limit', () => {
  it('limits the attempts per second to an endpoint, and to no other', async () => {
    stack = await startWebhookStack();
    const workspace = stack.workspace();
    const limited = await workspace.createWebhook(slow.url, { maxPerSecond: 5 });
    const free = await workspace.createWebhook(stack.receiver.url);
    await workspace.publishMany(20);
    await workspace.stats(free.id, { accepted: 20, delivered: 20 });
    for (let second = 1; second <= 4; second += 1) {
      await workspace.stats(limited.id, { accepted: 20, delivered: second * 5 });
      expect(slow.requests).toHaveLength(second * 5);
      stack.clock.advance(1_000);
    }
  });
});

describe('a burst', () => {
  it('that does not fit in memory is sent completely, each delivery once', async () => {
    stack = await startWebhookStack({ env: { WEBHOOK_CONCURRENCY: '4' } });
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    await workspace.publishMany(100);
    await workspace.stats(webhook.id, { accepted: 100, delivered: 100 });
    expect(new Set(stack.receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
    expect(stack.receiver.requests).toHaveLength(100);
  });

  it('has no leases left when the process stops, and another process finishes it', async () => {
    stack = await startWebhookStack({ env: { WEBHOOK_CONCURRENCY: '4' } });
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(slow.url);
    const letGo: (() => void)[] = [];
    slow.behave((_, response) => {
      letGo.push(() => response.end());
    });
    await workspace.publishMany(50);
    await workspace.stats(webhook.id, { accepted: 50 });
    await eventually(() => letGo.length === 4);
    const stopped = stack.stopService();
    for (const go of letGo) go();
    await stopped;
    const deliveries = stack.database.collection('deliveries');
    expect(await deliveries.countDocuments({ status: 'delivered' })).toBe(4);
    expect(await deliveries.countDocuments({ status: 'pending', lease: null })).toBe(46);
    slow.behave(answer(200));
    await stack.replica();
    const all = { accepted: 50, delivered: 50, pending: 0 };
    await eventually(async () => expect(await stack.store.counters.read(webhook.id)).toMatchObject(all));
    expect(slow.requests).toHaveLength(50);
  });
});
