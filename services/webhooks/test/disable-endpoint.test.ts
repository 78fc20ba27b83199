import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { answer, eventually } from '@waymark/testing';
import { startWebhookStack, useWebhookStack } from './webhook-stack.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const stack = await useWebhookStack();

describe('an endpoint', () => {
  beforeEach(() => stack.renewReceiver());

  it('that answers 410 is disabled at once, with an event, and has no recorded failures once it is enabled', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    stack.receiver.behave(answer(410));
    await workspace.publish();
    await workspace.stats(webhook.id, { failed: 1 });
    const disabled = await eventually(async () => {
      const { body } = await workspace.call('GET', `/webhooks/${webhook.id}`);
      expect(body.enabled).toBe(false);
      return body;
    });
    expect(disabled).toMatchObject({ disabled_reason: 'gone', disabled_at: stack.clock.inMs(0) });
    const event = await stack.told('webhook.disabled', webhook.id);
    expect(event).toMatchObject({
      workspace_id: workspace.id,
      action: 'webhook.disable',
      actor: { type: 'service', name: 'webhooks' },
      request_id: null,
      data: { reason: 'gone', webhook: { id: webhook.id, enabled: false } },
      changes: { enabled: { before: true, after: false } },
    });
    expect(JSON.stringify(event)).not.toContain('whsec');

    const path = `/webhooks/${webhook.id}`;
    const enabled = await workspace.call('PATCH', path, { body: { enabled: true } });
    expect(enabled.body).toMatchObject({
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
    });
    stack.receiver.behave(answer(200));
    await workspace.publish();
    await workspace.stats(webhook.id, { accepted: 2, failed: 1, delivered: 1 });
  });

  /** Creates an endpoint that refuses every delivery for now. */
  async function failingEndpoint() {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    const endpoint = async () => (await workspace.call('GET', `/webhooks/${webhook.id}`)).body;
    let failed = 0;
    const failOnce = async () => {
      stack.receiver.behave(answer(400));
      await workspace.publish();
      failed += 1;
      await workspace.stats(webhook.id, { failed });
      await followed(webhook.id);
    };
    return { workspace, webhook, endpoint, failOnce };
  }

  /** Publishes an event and waits until its failure is recorded on the present day. */
  const followed = (id: string) =>
    eventually(async () => {
      const { failing_since, failing_day } = (await stack.store.endpoints.byId(id))!;
      expect(failing_day).toBe(Math.floor((stack.clock.ms - Date.parse(String(failing_since))) / DAY_MS));
    });

  it('that fails for five days without a success is disabled, and not a moment earlier', async () => {
    const { workspace, webhook, endpoint, failOnce } = await failingEndpoint();
    for (let day = 0; day < 4; day += 1) {
      await failOnce();
      stack.clock.advance(DAY_MS);
    }
    stack.receiver.behave(answer(200));
    await workspace.publish();
    await eventually(async () => expect((await endpoint()).failing_since).toBeNull());

    const again = stack.clock.inMs(0);
    for (let day = 0; day < 5; day += 1) {
      await failOnce();
      stack.clock.advance(DAY_MS);
    }
    stack.clock.advance(-1);
    await failOnce();
    expect(await endpoint()).toMatchObject({ enabled: true, failing_since: again });
    stack.clock.advance(1);
    await failOnce();
    await eventually(async () =>
      expect(await endpoint()).toMatchObject({
        enabled: false,
        disabled_reason: 'failing',
        disabled_at: stack.clock.inMs(0),
      }),
    );
    expect(await stack.told('webhook.disabled', webhook.id)).toMatchObject({ data: { reason: 'failing' } });
  });

  it('that fails rarely is disabled once it has failed on five days, however long that takes', async () => {
    const { webhook, endpoint, failOnce } = await failingEndpoint();
    for (let failure = 0; failure < 4; failure += 1) {
      // Two failures on one day count as one day.
      await failOnce();
      await failOnce();
      stack.clock.advance(6 * DAY_MS);
      expect(await endpoint()).toMatchObject({ enabled: true });
    }
    await failOnce();
    await eventually(async () => expect(await endpoint()).toMatchObject({ disabled_reason: 'failing' }));
    // Once, on the second day.
    const event = await stack.told('webhook.failing', webhook.id);
    expect(event).toMatchObject({ action: null, data: { webhook: { id: webhook.id, enabled: true } } });
  });

  it('that has just had a success is not disabled by an attempt that began before it', async () => {
    await using own = await startWebhookStack();
    const workspace = own.workspace();
    const webhook = await workspace.createWebhook(own.receiver.url);
    const path = `/webhooks/${webhook.id}`;
    const endpoint = async () => (await workspace.call('GET', path)).body;
    own.receiver.behave(answer(400));
    const since = own.clock.inMs(0);
    for (let day = 0; day < 5; day += 1) {
      await workspace.publish();
      await eventually(async () =>
        expect(await own.store.endpoints.byId(webhook.id)).toMatchObject({
          failing_since: since,
          failing_day: day,
        }),
      );
      own.clock.advance(DAY_MS);
    }
    expect(await endpoint()).toMatchObject({ enabled: true, failing_since: since });
    const waiting: ServerResponse[] = [];
    own.receiver.behave((_, response) => {
      waiting.push(response);
    });
    await workspace.publish();
    await eventually(() => waiting.length === 1);
    // Makes the service read the endpoint again before the second attempt.
    await workspace.call('PATCH', path, { body: { description: 'Changed' } });
    await workspace.publish();
    await eventually(() => waiting.length === 2);
    waiting[1]!.writeHead(200).end();
    await eventually(async () => expect((await endpoint()).failing_since).toBeNull());
    waiting[0]!.writeHead(400).end();
    await workspace.stats(webhook.id, { failed: 6, delivered: 1 });
    // The stop waits for everything that follows from the answer.
    await own.stopService();
    expect(await own.store.endpoints.byId(webhook.id)).toMatchObject({ enabled: true });
  });
});
