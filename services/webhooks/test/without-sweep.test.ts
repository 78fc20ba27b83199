import { expect, it } from '@jest/globals';
import type { Webhook } from '@waymark/contracts';
import { answer } from '@waymark/testing';
import { useWebhookStack, type Workspace } from './webhook-stack.ts';

/** The store is searched for due deliveries at the start only. */
const stack = await useWebhookStack({ env: { WEBHOOK_SWEEP_MS: '86400000' } });

type Prepare = (workspace: Workspace, webhook: Webhook) => Promise<unknown>;

const patch =
  (...changes: object[]): Prepare =>
  async (workspace, { id }) => {
    for (const body of changes) {
      expect((await workspace.call('PATCH', `/webhooks/${id}`, { body })).status).toBe(200);
    }
  };
const rotate: Prepare = (workspace, { id }) => workspace.call('POST', `/webhooks/${id}/rotate-secret`);

it.each<[string, Prepare]>([
  ['enabled again', patch({ enabled: false }, { enabled: true })],
  ['given a rate', patch({ maxPerSecond: 5 })],
  ['given a rate and freed of it', patch({ maxPerSecond: 5 }, { maxPerSecond: null })],
  ['moved', patch({ url: 'http://127.0.0.1:9999/moved' })],
  ['given a new secret', rotate],
])('a test and a replay are sent without the sweep to an endpoint that was just %s', async (_, prepare) => {
  const workspace = stack.workspace();
  stack.receiver.behave(answer(500));
  const webhook = await workspace.createWebhook(stack.receiver.url);
  await workspace.publish();
  const { id: failed } = await workspace.firstDelivery(webhook.id);
  stack.receiver.behave(answer(200));
  await prepare(workspace, webhook);
  await patch({ url: stack.receiver.url })(workspace, webhook);
  const test = await workspace.call('POST', `/webhooks/${webhook.id}/test`);
  await workspace.delivery(test.body.id, 'delivered');
  expect((await workspace.call('POST', `/deliveries/${failed}/replay`)).status).toBe(202);
  await workspace.delivery(failed, 'delivered');
});
