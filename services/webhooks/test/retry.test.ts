import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeliveryWithAttempts } from '@waymark/contracts';
import {
  answer,
  type Behaviour,
  drip,
  eventually,
  hang,
  lie,
  redirect,
  reset,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@waymark/testing';
import { startWebhookStack, type WebhookStack, type Workspace } from './webhook-stack.ts';

const TIMEOUT_MS = 300;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let stack: WebhookStack;
let receiver: WebhookReceiver;

beforeAll(async () => {
  stack = await startWebhookStack({ env: { WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) } });
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await stack.stop();
  await receiver.stop();
});

const inMs = (ms: number) => new Date(stack.clock.ms + ms).toISOString();

/** A delivery that has been attempted `count` times in all. */
const attempted = (workspace: Workspace, id: string, count: number): Promise<DeliveryWithAttempts> =>
  eventually(async () => {
    const delivery = await workspace.delivery(id);
    expect(delivery.attempts).toHaveLength(count);
    return delivery;
  }, 20_000);

/** The clock moves on from here: retries of other tests must not come to the same receiver. */
function withOwnReceiver(): void {
  beforeEach(async () => {
    await receiver.stop();
    receiver = await startWebhookReceiver();
  });
}

/** The delivery to an endpoint once it has been attempted. */
const firstDelivery = async (workspace: Workspace, webhookId: string) =>
  (await workspace.deliveries(webhookId, 1, ({ attempt }) => attempt === 1))[0]!;

/** What one attempt makes of a behaviour. */
async function firstAttempt(behaviour: Behaviour): Promise<DeliveryWithAttempts> {
  const workspace = stack.workspace();
  const webhook = await workspace.createWebhook(receiver.url);
  receiver.behave(behaviour);
  await workspace.publish();
  const { id } = await firstDelivery(workspace, webhook.id);
  return workspace.delivery(id);
}

describe('one attempt', () => {
  it.each([200, 201, 202, 204, 299])('%i delivers', async (status) => {
    const delivery = await firstAttempt(answer(status));
    expect(delivery).toMatchObject({ status: 'delivered', attempt: 1, next_attempt_at: null });
    expect(delivery.attempts).toMatchObject([{ status, error: null }]);
  });

  it.each([400, 401, 403, 404, 405, 409, 413, 418, 422, 451, 499])('%i fails at once', async (status) => {
    const delivery = await firstAttempt(answer(status, { body: 'no' }));
    expect(delivery).toMatchObject({
      status: 'failed',
      attempt: 1,
      next_attempt_at: null,
      finished_at: inMs(0),
    });
    expect(delivery.attempts).toMatchObject([{ status, error: null, response_body: 'no' }]);
  });

  it.each([408, 429, 500, 501, 502, 503, 504, 599, 300, 301, 304, 999])(
    '%i is tried again in 30 s',
    async (status) => {
      const delivery = await firstAttempt(answer(status));
      expect(delivery).toMatchObject({ status: 'pending', attempt: 1, next_attempt_at: inMs(30_000) });
      expect(delivery.attempts).toMatchObject([{ status, error: null }]);
    },
  );

  it.each([301, 302, 303, 307, 308])(
    'a redirect with %i is not followed, and tried again',
    async (status) => {
      const before = receiver.requests.length;
      const delivery = await firstAttempt(redirect(`${receiver.url}/elsewhere`, status));
      expect(delivery).toMatchObject({ status: 'pending', next_attempt_at: inMs(30_000) });
      expect(delivery.attempts).toMatchObject([{ status }]);
      expect(receiver.requests.slice(before).map(({ path }) => path)).toEqual(['/']);
    },
  );

  it.each([
    ['no answer', hang(), /^no whole answer within 300 ms/],
    ['an answer without end', drip(), /broke off: no whole answer within 300 ms/],
    ['a reset', reset(), /^the connection was (reset|closed)/],
    ['an answer that is shorter than it says', lie(), /broke off/],
    ['a failure that is shorter than it says', lie(400), /broke off/],
  ] as const)('%s is tried again', async (_, behaviour, error) => {
    const delivery = await firstAttempt(behaviour);
    expect(delivery).toMatchObject({ status: 'pending', attempt: 1, next_attempt_at: inMs(30_000) });
    expect(delivery.attempts).toMatchObject([
      { status: null, error: expect.stringMatching(error), response_body: null },
    ]);
  });

  it('nobody there is tried again', async () => {
    const gone = await startWebhookReceiver();
    await gone.stop();
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(gone.url);
    await workspace.publish();
    const { id } = await firstDelivery(workspace, webhook.id);
    expect((await workspace.delivery(id)).attempts).toMatchObject([{ error: 'the connection was refused' }]);
  });

  it('keeps the first 16 KiB of an answer, and lets go of one over 64 KiB', async () => {
    const small = await firstAttempt(answer(200, { body: 'ü'.repeat(20_000) }));
    expect(small.attempts[0]!.response_body).toBe('ü'.repeat(8_192));
    const endless: Behaviour = (_, response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    };
    const large = await firstAttempt(endless);
    expect(large).toMatchObject({ status: 'delivered' });
    expect(large.attempts[0]!.response_body).toBe('x'.repeat(16_384));
    await eventually(() => receiver.open() === 0);
  });

  it.each([
    [429, '120', 120_000],
    [429, '7200', 2 * HOUR_MS],
    [429, '999999', 6 * HOUR_MS],
    [429, '3', 30_000],
    [429, 'later', 30_000],
    [503, '120', 120_000],
    [500, '120', 30_000],
    [408, '120', 30_000],
  ])('%i with Retry-After: %s waits %i ms', async (status, value, waitMs) => {
    const delivery = await firstAttempt(answer(status, { headers: { 'retry-after': value } }));
    expect(delivery).toMatchObject({ status: 'pending', next_attempt_at: inMs(waitMs) });
  });

  it('429 with a date in Retry-After waits until then', async () => {
    const until = new Date(stack.clock.ms + 10 * MINUTE_MS);
    const delivery = await firstAttempt(answer(429, { headers: { 'retry-after': until.toUTCString() } }));
    const waitsMs = Date.parse(delivery.next_attempt_at!) - stack.clock.ms;
    expect(Math.abs(waitsMs - 10 * MINUTE_MS)).toBeLessThanOrEqual(1_000);
  });
});

describe('the life of a delivery', () => {
  withOwnReceiver();

  it('has five attempts: at once, then 30 s, 2 min, 10 min and 1 h after each failure, not a moment earlier', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(receiver.url);
    receiver.behave(answer(500));
    const publish = async (known: string[]) => {
      const event = await workspace.publish();
      const [delivery] = await workspace.deliveries(webhook.id, 1, ({ id, attempt, event_id }) => {
        return event_id === event.id && attempt === 1 && !known.includes(id);
      });
      return delivery!.id;
    };
    // The scout is a millisecond older: once its retry has come, whatever was due by then has been looked for.
    const scout = await publish([]);
    stack.clock.advance(1);
    const id = await publish([scout]);
    const startedAt = [inMs(0)];

    for (const [i, delayMs] of [30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS].entries()) {
      const waiting = await workspace.delivery(id);
      expect(waiting).toMatchObject({
        status: 'pending',
        attempt: i + 1,
        max_attempts: 5,
        next_attempt_at: inMs(delayMs),
      });
      stack.clock.advance(delayMs - 1);
      await attempted(workspace, scout, i + 2);
      expect((await workspace.delivery(id)).attempts).toHaveLength(i + 1);
      stack.clock.advance(1);
      startedAt.push(inMs(0));
      await attempted(workspace, id, i + 2);
    }

    const failed = await workspace.delivery(id, 'failed');
    expect(failed).toMatchObject({ attempt: 5, series: 1, next_attempt_at: null, finished_at: inMs(0) });
    expect(failed.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
    expect(failed.attempts.map(({ started_at }) => started_at)).toEqual(startedAt);
    const requests = receiver.requests.filter(({ headers }) => headers['webhook-id'] === id);
    expect(requests).toHaveLength(5);
    expect(requests.map(({ headers }) => Number(headers['x-service-timestamp']))).toEqual(
      startedAt.map((time) => Math.floor(Date.parse(time) / 1000)),
    );
    expect(new Set(requests.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['x-service-signature'])).size).toBe(5);
    await workspace.stats(webhook.id, { accepted: 2, failed: 2, pending: 0 });
  });

  it('ends with the first success', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(receiver.url);
    receiver.behaveEach((_, n) => answer(n < 2 ? 503 : 200));
    await workspace.publish();
    const { id } = await firstDelivery(workspace, webhook.id);
    stack.clock.advance(30_000);
    await attempted(workspace, id, 2);
    stack.clock.advance(2 * MINUTE_MS);
    const delivered = await workspace.delivery(id, 'delivered');
    expect(delivered.attempts.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(delivered.finished_at).toBe(inMs(0));
  });

  it('is longer where that is configured: the sixth attempt waits the schedule’s 6 h', async () => {
    const env = { WEBHOOK_MAX_ATTEMPTS: '7', WEBHOOK_RETRY_DELAYS_SECONDS: '1,2,21600' };
    const other = await startWebhookStack({ env, seams: { random: () => 1 } });
    const workspace = other.workspace();
    const webhook = await workspace.createWebhook(receiver.url);
    receiver.behave(answer(500));
    await workspace.publish();
    const { id } = await firstDelivery(workspace, webhook.id);
    const delaysMs = [1_100, 2_200, 6.6 * HOUR_MS, 6.6 * HOUR_MS, 6.6 * HOUR_MS, 6.6 * HOUR_MS];
    for (const [i, delayMs] of delaysMs.entries()) {
      const { next_attempt_at } = await attempted(workspace, id, i + 1);
      expect(Date.parse(next_attempt_at!) - other.clock.ms).toBe(delayMs);
      other.clock.advance(delayMs);
    }
    expect(await workspace.delivery(id, 'failed')).toMatchObject({ attempt: 7, max_attempts: 7 });
    await other.stop();
  });
});

describe('an endpoint', () => {
  withOwnReceiver();

  it('that answers 410 is disabled at once, and says so', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(receiver.url);
    receiver.behave(answer(410));
    await workspace.publish();
    await workspace.stats(webhook.id, { failed: 1 });
    const disabled = await eventually(async () => {
      const { body } = await workspace.call('GET', `/webhooks/${webhook.id}`);
      expect(body.enabled).toBe(false);
      return body;
    });
    expect(disabled).toMatchObject({ disabled_reason: 'gone', disabled_at: inMs(0) });
    const event = await eventually(() => {
      const found = stack.events.find(
        ({ type, subject }) => type === 'webhook.disabled' && subject.id === webhook.id,
      );
      expect(found).toBeDefined();
      return found!;
    });
    expect(event).toMatchObject({
      workspace_id: workspace.id,
      action: 'webhook.disable',
      actor: { type: 'service', name: 'webhooks' },
      request_id: null,
      data: { reason: 'gone', webhook: { id: webhook.id, enabled: false } },
      changes: { enabled: { before: true, after: false } },
    });
    expect(JSON.stringify(event)).not.toContain('whsec');
  });

  it('that fails for five days without a success is disabled, and not a moment earlier', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(receiver.url);
    const endpoint = async () => (await workspace.call('GET', `/webhooks/${webhook.id}`)).body;
    const failOnce = async (n: number) => {
      receiver.behave(answer(400));
      await workspace.publish();
      await workspace.stats(webhook.id, { failed: n });
    };

    await failOnce(1);
    const since = inMs(0);
    await eventually(async () => expect((await endpoint()).failing_since).toBe(since));
    stack.clock.advance(4 * DAY_MS);
    receiver.behave(answer(200));
    await workspace.publish();
    await eventually(async () => expect((await endpoint()).failing_since).toBeNull());

    stack.clock.advance(DAY_MS);
    await failOnce(2);
    const again = inMs(0);
    await eventually(async () => expect((await endpoint()).failing_since).toBe(again));
    stack.clock.advance(5 * DAY_MS - 1);
    await failOnce(3);
    expect(await endpoint()).toMatchObject({ enabled: true, failing_since: again });
    stack.clock.advance(1);
    await failOnce(4);
    await eventually(async () =>
      expect(await endpoint()).toMatchObject({
        enabled: false,
        disabled_reason: 'failing',
        disabled_at: inMs(0),
      }),
    );
    await eventually(() =>
      expect(
        stack.events.filter(({ type, subject }) => type === 'webhook.disabled' && subject.id === webhook.id),
      ).toMatchObject([{ data: { reason: 'failing' } }]),
    );
  });

  it('that is enabled again begins without a past', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(receiver.url);
    receiver.behave(answer(410));
    await workspace.publish();
    const path = `/webhooks/${webhook.id}`;
    await eventually(async () => expect((await workspace.call('GET', path)).body.enabled).toBe(false));
    const enabled = await workspace.call('PATCH', path, { body: { enabled: true } });
    expect(enabled.body).toMatchObject({
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
    });
    receiver.behave(answer(200));
    await workspace.publish();
    await workspace.stats(webhook.id, { accepted: 2, failed: 1, delivered: 1 });
  });
});
