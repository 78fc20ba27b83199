import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@waymark/client';
import { eventually, type ReceivedRequest } from '@waymark/testing';
import { useWebhookStack, type Workspace } from './webhook-stack.ts';

const stack = await useWebhookStack();

async function nextRequest(workspace: Workspace): Promise<ReceivedRequest> {
  return (await stack.received((await workspace.publish()).id))[0]!;
}

const holds = ({ rawBody, headers }: ReceivedRequest, secret: string) => {
  try {
    verifyWebhook(rawBody, headers, secret, { now: () => stack.clock.ms });
    return true;
  } catch {
    return false;
  }
};

/** Returns whether the specification's header was signed with a secret. */
const isServiceSignature = ({ rawBody, headers }: ReceivedRequest, secret: string) => {
  const mac = createHmac('sha256', secret)
    .update(`${String(headers['x-waymark-timestamp'])}.`)
    .update(rawBody);
  return headers['x-waymark-signature'] === `sha256=${mac.digest('hex')}`;
};

const signatures = ({ headers }: ReceivedRequest) => String(headers['webhook-signature']).split(' ').length;

async function rotated() {
  const workspace = stack.workspace();
  const webhook = await workspace.createWebhook(stack.receiver.url);
  const path = `/webhooks/${webhook.id}/rotate-secret`;
  const rotate = (body: unknown = {}) => workspace.call('POST', path, { body });
  const answer = await rotate();
  return { workspace, webhook, rotate, answer, before: webhook.secret, after: answer.body.secret as string };
}

describe('POST /webhooks/{id}/rotate-secret', () => {
  it('signs with both secrets for 24 hours, then only with the new one', async () => {
    const { workspace, answer, before, after, webhook } = await rotated();
    expect(answer.status).toBe(200);
    expect(after).toMatch(/^whsec_/);
    expect(after).not.toBe(before);
    const until = new Date(stack.clock.ms + 86_400_000).toISOString();
    expect(answer.body.previous_secret_until).toBe(until);

    const during = await nextRequest(workspace);
    expect([holds(during, before), holds(during, after), signatures(during)]).toEqual([true, true, 2]);
    expect(isServiceSignature(during, before)).toBe(true);

    stack.clock.advance(86_400_000);
    await eventually(async () => {
      const past = await nextRequest(workspace);
      expect([holds(past, before), holds(past, after), signatures(past)]).toEqual([false, true, 1]);
      expect(isServiceSignature(past, after)).toBe(true);
    });
    expect((await workspace.call('GET', `/webhooks/${webhook.id}`)).body.previous_secret_until).toBeNull();
  });

  it('ends early when the new secret is promoted', async () => {
    const { workspace, rotate, before, after } = await rotated();
    const promoted = await rotate({ promote: true });
    expect(promoted).toMatchObject({ status: 200, body: { previous_secret_until: null } });
    expect(promoted.body.secret).toBeUndefined();
    const request = await nextRequest(workspace);
    expect([holds(request, before), holds(request, after), signatures(request)]).toEqual([false, true, 1]);
    expect(isServiceSignature(request, after)).toBe(true);
    expect((await rotate({ promote: true })).body.error).toBe('CONFLICT');
  });

  it('is refused during another rotation, also for concurrent requests, and emits events without the secret', async () => {
    const { rotate, webhook } = await rotated();
    expect((await rotate()).body.error).toBe('CONFLICT');
    expect((await rotate({ promote: true })).status).toBe(200);
    const answers = await Promise.all([rotate(), rotate(), rotate()]);
    expect(answers.map(({ status }) => String(status)).sort()).toEqual(['200', '409', '409']);
    const events = await eventually(() => {
      const found = stack.events.filter(
        ({ type, subject }) => type === 'webhook.secret_rotated' && subject.id === webhook.id,
      );
      expect(found).toHaveLength(3);
      return found;
    });
    expect(events.every(({ action }) => action === 'webhook.rotate_secret')).toBe(true);
    expect(JSON.stringify(events)).not.toContain('whsec');
  });
});
