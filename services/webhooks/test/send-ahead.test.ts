import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { EventEnvelope } from '@waymark/contracts';
import { eventually, sampleEvent } from '@waymark/testing';
import { type ClientSession, MongoNetworkError } from 'mongodb';
import { deliveryIdOf, newDelivery, payloadOf } from '../src/delivery/new-delivery.ts';
import { useWebhookStack } from './webhook-stack.ts';

const stack = await useWebhookStack();
/** Continues the last delayed commit; the service does not stop before. */
let letGo: () => void = () => undefined;

afterEach(() => letGo());

/** Delays the next commit until the test lets it begin, or lets it fail as if MongoDB were away. */
async function heldCommit(): Promise<{ reached: Promise<void>; begin(): void; fail(): void }> {
  const reached = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await stack.database.client.withSession(async (session) => {
    const { prototype } = session.constructor as typeof ClientSession;
    const commit = prototype.commitTransaction;
    jest.spyOn(prototype, 'commitTransaction').mockImplementationOnce(async function (this: ClientSession) {
      reached.resolve();
      await held.promise;
      return commit.call(this);
    });
  });
  letGo = held.resolve;
  return {
    reached: reached.promise,
    begin: held.resolve,
    fail: () => held.reject(new MongoNetworkError('gone')),
  };
}

/** Publishes an event and waits until its request has arrived; the commit of its delivery is delayed. */
async function sentAhead() {
  await stack.renewReceiver();
  const workspace = stack.workspace();
  const webhook = await workspace.createWebhook(stack.receiver.url);
  const event = sampleEvent({ workspace_id: workspace.id, time: stack.clock.inMs(0) });
  const id = deliveryIdOf(event.id, webhook.id, stack.clock.ms);
  const commit = await heldCommit();
  await stack.publish(event);
  await commit.reached;
  await eventually(() => expect(stack.receiver.requests).toHaveLength(1));
  expect(stack.receiver.requests[0]!.headers['webhook-id']).toBe(id);
  return { workspace, webhook, event, id, commit };
}

/** Returns whether another process that receives the event may send it. */
async function storesElsewhere(event: EventEnvelope, endpoint: { id: string; workspace_id: string }) {
  const payload = payloadOf(event, endpoint.workspace_id);
  const delivery = newDelivery({ payload, endpoint, maxAttempts: 5, now: event.time });
  return (await stack.store.deliveries.insertNew([delivery])).size > 0;
}

describe('a delivery that is sent before its commit', () => {
  it('cannot be stored by another process, and counts once it is stored', async () => {
    const { workspace, webhook, event, id, commit } = await sentAhead();
    expect((await workspace.call('GET', `/deliveries/${id}`)).status).toBe(404);
    const elsewhere = storesElsewhere(event, webhook);
    commit.begin();
    expect(await elsewhere).toBe(false);
    expect(await workspace.delivery(id, 'delivered')).toMatchObject({ attempt: 1 });
    await workspace.stats(webhook.id, { accepted: 1, delivered: 1, pending: 0 });
    expect(stack.receiver.requests).toHaveLength(1);
  });

  it('is stored later, and not sent again, when the commit fails', async () => {
    const { workspace, webhook, event, id, commit } = await sentAhead();
    await stack.publish(event);
    commit.fail();
    expect(await workspace.delivery(id, 'delivered')).toMatchObject({ attempt: 1 });
    const next = await workspace.publish();
    await eventually(() => expect(stack.receiver.requests.at(-1)?.body.id).toBe(next.id));
    await workspace.stats(webhook.id, { accepted: 2, delivered: 2, pending: 0 });
    expect(stack.receiver.requests).toHaveLength(2);
  });
});
