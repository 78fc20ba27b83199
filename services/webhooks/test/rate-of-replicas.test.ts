import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type Webhook } from '@waymark/contracts';
import { eventually, hang } from '@waymark/testing';
import { startWebhookStack, type WebhookStack, type Workspace } from './webhook-stack.ts';

const RATE = 5;
let stack: WebhookStack;
let workspace: Workspace;
/** When each delivery arrived, by the clock of both replicas. */
let times: number[];

beforeEach(async () => {
  stack = await startWebhookStack({ replicas: 2, env: { WEBHOOK_CONCURRENCY: '4' } });
  workspace = stack.workspace();
  times = [];
  stack.receiver.behave((_, response) => {
    times.push(stack.clock.ms);
    response.end();
  });
});
afterEach(() => stack.stop());

const limited = (input = {}): Promise<Webhook> =>
  workspace.createWebhook(`${stack.receiver.url}/limited`, { maxPerSecond: RATE, ...input });

function expectRateKept(): void {
  const gaps = times.slice(RATE).map((ms, i) => ms - times[i]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
}

describe('two replicas', () => {
  it('send exactly as many per second as an endpoint allows', async () => {
    const { id } = await limited();
    await workspace.publishMany(2);
    await workspace.stats(id, { delivered: 2 });
    stack.clock.advance(300);
    await workspace.publishMany(48);
    await workspace.stats(id, { accepted: 50, delivered: 5 });
    for (let second = 1; second < 10; second += 1) {
      stack.clock.advance(700);
      await workspace.stats(id, { delivered: second * RATE + 2 });
      stack.clock.advance(300);
      await workspace.stats(id, { delivered: (second + 1) * RATE });
    }
    expectRateKept();
    expect(times).toHaveLength(50);
  });

  it('make no more attempts at once than the limit of one', async () => {
    stack.receiver.behave(hang());
    const { id } = await limited({ maxPerSecond: 1_000 });
    const other = await workspace.createWebhook(stack.receiver.url, { events: ['decision.updated'] });
    await workspace.publishMany(40);
    await workspace.stats(id, { accepted: 40 });
    await eventually(() => stack.receiver.open() === 4);
    // The replica that sends to the other endpoint has swept meanwhile.
    stack.receiver.behave((_, response) => response.end());
    await workspace.publish({ type: 'decision.updated' });
    await workspace.stats(other.id, { delivered: 1 });
    expect(stack.receiver.open()).toBe(4);
  });

  it('take over from each other: two seconds after one has stopped', async () => {
    const { id } = await limited();
    await workspace.publishMany(20);
    await workspace.stats(id, { accepted: 20, delivered: RATE });
    await stack.stopService();
    for (let delivered = RATE; delivered <= 20; delivered += RATE) {
      await eventually(() => expect(times).toHaveLength(delivered));
      stack.clock.advance(delivered === RATE ? 2_000 : 1_000);
    }
    expectRateKept();
  });

  it('send nothing while another process holds the lease, and continue after that', async () => {
    const { id } = await limited();
    const endpoint = (await stack.store.endpoints.byId(id))!;
    const sender = { id: newId(), until: stack.clock.inMs(30_000) };
    expect(await stack.store.endpoints.acquireLease(endpoint, sender, stack.clock.inMs(0))).toBe(true);
    const other = await workspace.createWebhook(`${stack.receiver.url}/other`);
    await workspace.publishMany(3);
    await workspace.stats(other.id, { delivered: 3 });
    stack.clock.advance(29_999);
    await workspace.publish();
    await workspace.stats(other.id, { delivered: 4 });
    await workspace.stats(id, { accepted: 4, pending: 4, delivered: 0 });
    stack.clock.advance(1);
    await workspace.stats(id, { delivered: 4, pending: 0 });
  });
});
