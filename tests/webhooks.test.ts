import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@waymark/client';
import { answer, eventually, type Owner, startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

const stack = joinProduct();
let receiver: WebhookReceiver;
let owner: Owner & { key: string };

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  owner = await stack.workspace();
});
afterAll(() => receiver.stop());

const asOwner = (method: string, path: string, body?: unknown) =>
  stack.call(method, path, {
    cookie: owner.cookie,
    headers: { origin: stack.url },
    ...(body !== undefined && { body }),
  });

/** Waits for the first delivery of an event type. */
const received = (type: string) =>
  eventually(() => {
    const found = receiver.requests.find(({ body }) => body?.type === type);
    if (!found) throw new Error(`${type} did not come`);
    return found;
  });

describe('webhooks', () => {
  it('deliver each public kind of event to a subscriber, signed', async () => {
    const events = [
      'decision.created',
      'decision.outcome_logged',
      'workspace.member_added',
      'workspace.member_removed',
      'billing.plan_changed',
    ];
    const created = await asOwner('POST', '/webhooks', {
      workspaceId: owner.workspaceId,
      url: receiver.url,
      events,
    });
    expect(created.status).toBe(201);
    const { id, secret } = created.body;

    const decision = await stack.call('POST', '/decisions', {
      key: owner.key,
      query: { workspaceId: owner.workspaceId },
      body: { title: 'Tell subscribers', outcome: 'success' },
    });
    expect(decision.status).toBe(201);
    const colleague = await stack.signUp('Grace Hopper');
    const memberId = await stack.addMember(owner, colleague, 'member');
    expect((await asOwner('DELETE', `/members/${memberId}`)).status).toBeLessThan(300);
    const plan = await asOwner('PUT', `/workspaces/${owner.workspaceId}/plan`, { plan: 'enterprise' });
    expect(plan.status).toBe(200);

    for (const type of events) {
      const { rawBody, headers } = await received(type);
      const { payload } = verifyWebhook(rawBody, headers, secret);
      expect(payload).toMatchObject({ type, workspace_id: owner.workspaceId });
    }
    expect((await received('decision.created')).body.data).toEqual(decision.body);
    expect((await received('billing.plan_changed')).body.data).toEqual({
      workspace_id: owner.workspaceId,
      plan: 'enterprise',
      previous_plan: 'business',
    });
    await eventually(async () => {
      const { body } = await asOwner('GET', `/webhooks/${id}/stats`);
      expect(body).toMatchObject({ accepted: 5, delivered: 5 });
    });
  });

  it('return the responses of openapi.json for every operation, and write one audit entry per change', async () => {
    const { body: webhook } = await asOwner('POST', '/webhooks', {
      workspaceId: owner.workspaceId,
      url: `${receiver.url}/second`,
      events: ['decision.deleted'],
    });
    const path = `/webhooks/${webhook.id}`;
    receiver.behave(answer(400));
    const { body: ping } = await asOwner('POST', `${path}/test`);
    await eventually(async () => {
      expect((await asOwner('GET', `/deliveries/${ping.id}`)).body.status).toBe('failed');
    });
    receiver.behave(answer(200));
    const calls: [string, string, unknown?][] = [
      ['GET', `/webhooks?workspaceId=${owner.workspaceId}`],
      ['GET', `/webhooks/event-types?workspaceId=${owner.workspaceId}`],
      ['GET', path],
      ['PATCH', path, { description: 'Second' }],
      ['POST', `${path}/rotate-secret`, {}],
      ['GET', `${path}/deliveries?status=failed&event=ping`],
      ['GET', `${path}/stats`],
      ['POST', `/deliveries/${ping.id}/replay`],
      ['POST', `${path}/replay`, { since: '2026-01-01T00:00:00Z' }],
      ['DELETE', path],
    ];
    for (const [method, callPath, body] of calls) {
      const called = await asOwner(method, callPath, body);
      expect([method, callPath, called.status < 300]).toEqual([method, callPath, true]);
    }
    await eventually(async () => {
      const log = await asOwner('GET', `/audit-log?workspaceId=${owner.workspaceId}&limit=100`);
      const actions = log.body.data
        .filter(({ resource_id }: { resource_id: string }) => [webhook.id, ping.id].includes(resource_id))
        .map(({ action }: { action: string }) => action);
      expect(actions.reverse()).toEqual([
        'webhook.create',
        'webhook.test',
        'webhook.update',
        'webhook.rotate_secret',
        'delivery.replay',
        'webhook.replay',
        'webhook.delete',
      ]);
    });
  });

  it('are refused for addresses that are not public', async () => {
    const body = { workspaceId: owner.workspaceId, events: ['decision.created'] };
    const inside = await asOwner('POST', '/webhooks', { ...body, url: 'https://169.254.169.254/' });
    expect(inside).toMatchObject({ status: 400, body: { issues: [{ path: 'url' }] } });
  });
});
