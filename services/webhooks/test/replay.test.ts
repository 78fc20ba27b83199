import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { answer, eventually } from '@waymark/testing';
import { useWebhookStack } from './webhook-stack.ts';

const stack = await useWebhookStack();

/** Creates a workspace with an endpoint and one failed delivery. */
async function failed() {
  const workspace = stack.workspace();
  const webhook = await workspace.createWebhook(stack.receiver.url);
  stack.receiver.behave(answer(400));
  await workspace.publish();
  const [delivery] = await workspace.deliveries(webhook.id, 1, ({ status }) => status === 'failed');
  stack.receiver.behave(answer(200));
  return { workspace, webhook, id: delivery!.id };
}

describe('POST /deliveries/{id}/replay', () => {
  it('starts a new series under the old id, with the same body and a fresh timestamp', async () => {
    const { workspace, webhook, id } = await failed();
    stack.clock.advance(60_000);
    const replayed = await workspace.call('POST', `/deliveries/${id}/replay`);
    expect(replayed).toMatchObject({
      status: 202,
      body: {
        id,
        status: 'pending',
        series: 2,
        attempt: 0,
        max_attempts: 5,
        finished_at: null,
        next_attempt_at: stack.clock.inMs(0),
      },
    });
    const delivered = await workspace.delivery(id, 'delivered');
    expect(delivered).toMatchObject({ series: 2, attempt: 1 });
    expect(delivered.attempts.map(({ series, attempt, status }) => [series, attempt, status])).toEqual([
      [1, 1, 400],
      [2, 1, 200],
    ]);
    const [first, second] = stack.requestsOf(id);
    expect(second!.rawBody.equals(first!.rawBody)).toBe(true);
    expect(
      Number(second!.headers['x-waymark-timestamp']) - Number(first!.headers['x-waymark-timestamp']),
    ).toBe(60);
    await workspace.stats(webhook.id, { accepted: 1, delivered: 1, failed: 0, pending: 0 });
    expect(await stack.told('delivery.replayed', id)).toMatchObject({
      action: 'delivery.replay',
      workspace_id: workspace.id,
    });
    // A delivered delivery, too.
    await workspace.call('POST', `/deliveries/${id}/replay`);
    await eventually(async () =>
      expect(await workspace.delivery(id, 'delivered')).toMatchObject({ series: 3 }),
    );
    expect(stack.requestsOf(id)).toHaveLength(3);
  });

  it('sends a delivery at once that waits for its next attempt', async () => {
    const { workspace, id } = await failed();
    stack.receiver.behave(answer(500));
    await workspace.call('POST', `/deliveries/${id}/replay`);
    await eventually(async () =>
      expect(await workspace.delivery(id, 'pending')).toMatchObject({ series: 2, attempt: 1 }),
    );
    stack.receiver.behave(answer(200));
    expect((await workspace.call('POST', `/deliveries/${id}/replay`)).status).toBe(202);
    expect(await workspace.delivery(id, 'delivered')).toMatchObject({ series: 3, attempt: 1 });
  });

  it('is refused while it is sent, for the second of two requests at once, and for a disabled endpoint', async () => {
    const { workspace, webhook, id } = await failed();
    const held: { destroy(): unknown }[] = [];
    stack.receiver.behave((_, response) => held.push(response));
    const answers = await Promise.all(
      [1, 2, 3].map(() => workspace.call('POST', `/deliveries/${id}/replay`)),
    );
    expect(answers.map(({ status }) => String(status)).sort()).toEqual(['202', '409', '409']);
    await eventually(() => held.length === 1);
    stack.receiver.behave(answer(500));
    const other = await failed();
    await other.workspace.call('PATCH', `/webhooks/${other.webhook.id}`, { body: { enabled: false } });
    expect((await other.workspace.call('POST', `/deliveries/${other.id}/replay`)).body).toMatchObject({
      error: 'CONFLICT',
      message: expect.stringContaining('disabled'),
    });
    await workspace.call('DELETE', `/webhooks/${webhook.id}`);
    held[0]!.destroy();
    await workspace.delivery(id, 'cancelled');
    expect((await workspace.call('POST', `/deliveries/${id}/replay`)).body).toMatchObject({
      error: 'CONFLICT',
      message: expect.stringContaining('deleted'),
    });
    expect((await workspace.call('POST', `/deliveries/${newId()}/replay`)).body.error).toBe('NOT_FOUND');
  });
});

describe('POST /webhooks/{id}/replay', () => {
  it('sends the deliveries again that failed since a moment, each under its old id', async () => {
    const { workspace, webhook, id: tooOld } = await failed();
    stack.clock.advance(60_000);
    const since = stack.clock.inMs(0);
    stack.receiver.behaveEach((_, n) => answer(n % 2 === 0 ? 400 : 200));
    for (let i = 1; i <= 6; i += 1) {
      await workspace.publish();
      await workspace.stats(webhook.id, { accepted: 1 + i, pending: 0 });
    }
    const before = await workspace.deliveries(webhook.id, 7);
    const failedIds = before
      .filter(({ status, id }) => status === 'failed' && id !== tooOld)
      .map(({ id }) => id);
    expect(failedIds).toHaveLength(3);
    stack.receiver.behave(answer(200));
    stack.clock.advance(1_000);
    const answered = await workspace.call('POST', `/webhooks/${webhook.id}/replay`, { body: { since } });
    expect(answered).toMatchObject({ status: 202, body: { replayed: 3, next_since: null } });
    await workspace.stats(webhook.id, { accepted: 7, delivered: 6, failed: 1, pending: 0 });
    for (const id of failedIds) expect(stack.requestsOf(id)).toHaveLength(2);
    expect(await workspace.delivery(tooOld)).toMatchObject({ status: 'failed', series: 1 });
    expect(await stack.told('webhook.replayed', webhook.id)).toMatchObject({
      action: 'webhook.replay',
      data: { since, status: 'failed', replayed: 3 },
    });
  });

  it('requested many times at once sends each delivery only once more', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    stack.receiver.behave(answer(400));
    await workspace.publishMany(30);
    await workspace.stats(webhook.id, { failed: 30 });
    const sent = stack.receiver.requests.length;
    stack.receiver.behave(answer(200));
    const body = { since: stack.clock.inMs(-60_000) };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => workspace.call('POST', `/webhooks/${webhook.id}/replay`, { body })),
    );
    expect(answers.reduce((sum, { body: { replayed } }) => sum + replayed, 0)).toBe(30);
    await workspace.stats(webhook.id, { accepted: 30, delivered: 30, pending: 0 });
    expect(stack.receiver.requests).toHaveLength(sent + 30);
  });

  it('accepts another status, and refuses pending deliveries', async () => {
    const { workspace, webhook } = await failed();
    const replay = (body: unknown) => workspace.call('POST', `/webhooks/${webhook.id}/replay`, { body });
    expect((await replay({ since: stack.clock.inMs(0), status: 'delivered' })).body).toEqual({
      replayed: 0,
      next_since: null,
    });
    expect((await replay({ since: stack.clock.inMs(0), status: 'pending' })).status).toBe(400);
    expect((await replay({ since: 'yesterday' })).status).toBe(400);
    expect((await replay({})).status).toBe(400);
    await replay({ since: stack.clock.inMs(0) });
    await workspace.stats(webhook.id, { delivered: 1 });
    expect((await replay({ since: stack.clock.inMs(0), status: 'delivered' })).body.replayed).toBe(1);
    await workspace.call('PATCH', `/webhooks/${webhook.id}`, { body: { enabled: false } });
    expect((await replay({ since: stack.clock.inMs(0) })).body.error).toBe('CONFLICT');
  });
});

describe('POST /webhooks/{id}/test', () => {
  it('sends a signed ping that needs no subscription', async () => {
    const workspace = stack.workspace();
    stack.receiver.behave(answer(200));
    const webhook = await workspace.createWebhook(stack.receiver.url, { events: ['decision.deleted'] });
    const answered = await workspace.call('POST', `/webhooks/${webhook.id}/test`);
    expect(answered).toMatchObject({
      status: 202,
      body: { event_type: 'ping', status: 'pending', webhook_id: webhook.id },
    });
    const { id } = answered.body;
    const delivered = await workspace.delivery(id, 'delivered');
    expect(delivered.payload).toMatchObject({
      type: 'ping',
      workspace_id: workspace.id,
      data: { webhook_id: webhook.id },
    });
    expect(stack.requestsOf(id)[0]!.headers['x-waymark-event']).toBe('ping');
    await workspace.stats(webhook.id, { accepted: 1, delivered: 1 });
    expect(await stack.told('webhook.tested', webhook.id)).toMatchObject({
      action: 'webhook.test',
      data: { delivery: { id } },
    });
    await workspace.call('PATCH', `/webhooks/${webhook.id}`, { body: { enabled: false } });
    expect((await workspace.call('POST', `/webhooks/${webhook.id}/test`)).body.error).toBe('CONFLICT');
  });

  it('sends an example of the chosen event, which says that it is a test', async () => {
    const workspace = stack.workspace();
    stack.receiver.behave(answer(200));
    const webhook = await workspace.createWebhook(stack.receiver.url, { events: ['decision.deleted'] });
    const path = `/webhooks/${webhook.id}/test`;
    const { status, body } = await workspace.call('POST', `${path}?event=decision.created`);
    expect([status, body.event_type]).toEqual([202, 'decision.created']);
    const { payload } = await workspace.delivery(body.id, 'delivered');
    expect(payload).toMatchObject({
      type: 'decision.created',
      workspace_id: workspace.id,
      test: true,
      data: { title: expect.any(String) },
    });
    expect(stack.requestsOf(body.id)[0]!.headers['x-waymark-event']).toBe('decision.created');
    const refused = await workspace.call('POST', `${path}?event=decision.exploded`);
    expect([refused.status, refused.body.issues[0].path]).toEqual([400, 'event']);
  });
});
