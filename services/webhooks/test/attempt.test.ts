import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
} from '@waymark/testing';
import { startWebhookStack, type WebhookStack } from './webhook-stack.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let stack: WebhookStack;
/** For attempts that must time out. */
let impatient: WebhookStack;

beforeAll(async () => {
  [stack, impatient] = await Promise.all([
    startWebhookStack(),
    startWebhookStack({ env: { WEBHOOK_TIMEOUT_MS: '1000' } }),
  ]);
});
afterAll(() => Promise.all([stack.stop(), impatient.stop()]));

/** Returns the delivery after one attempt against a behaviour. */
async function firstAttempt(behaviour: Behaviour, at = stack): Promise<DeliveryWithAttempts> {
  const workspace = at.workspace();
  const webhook = await workspace.createWebhook(at.receiver.url);
  at.receiver.behave(behaviour);
  await workspace.publish();
  const { id } = await workspace.firstDelivery(webhook.id);
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
      finished_at: stack.clock.inMs(0),
    });
    expect(delivery.attempts).toMatchObject([{ status, error: null, response_body: 'no' }]);
  });

  it.each([408, 429, 500, 501, 502, 503, 504, 599, 300, 301, 304, 999])(
    '%i is tried again in 30 s',
    async (status) => {
      const delivery = await firstAttempt(answer(status));
      expect(delivery).toMatchObject({
        status: 'pending',
        attempt: 1,
        next_attempt_at: stack.clock.inMs(30_000),
      });
      expect(delivery.attempts).toMatchObject([{ status, error: null }]);
    },
  );

  it.each([301, 302, 303, 307, 308])(
    'a redirect with %i is not followed, and tried again',
    async (status) => {
      const before = stack.receiver.requests.length;
      const delivery = await firstAttempt(redirect(`${stack.receiver.url}/elsewhere`, status));
      expect(delivery).toMatchObject({ status: 'pending', next_attempt_at: stack.clock.inMs(30_000) });
      expect(delivery.attempts).toMatchObject([{ status }]);
      expect(stack.receiver.requests.slice(before).map(({ path }) => path)).toEqual(['/']);
    },
  );

  it.each([
    ['no answer', hang(), /^no whole answer within 1000 ms/],
    ['an answer without end', drip(), /broke off: no whole answer within 1000 ms/],
  ] as const)('%s is given up, and tried again', async (_, behaviour, error) => {
    const delivery = await firstAttempt(behaviour, impatient);
    expect(delivery).toMatchObject({
      status: 'pending',
      attempt: 1,
      next_attempt_at: impatient.clock.inMs(30_000),
    });
    expect(delivery.attempts).toMatchObject([
      { status: null, error: expect.stringMatching(error), response_body: null },
    ]);
  });

  it.each([
    ['a reset', reset(), /^the connection was (reset|closed)/],
    ['an answer that is shorter than it says', lie(), /broke off/],
    ['a failure that is shorter than it says', lie(400), /broke off/],
  ] as const)('%s is tried again', async (_, behaviour, error) => {
    const delivery = await firstAttempt(behaviour);
    expect(delivery).toMatchObject({
      status: 'pending',
      attempt: 1,
      next_attempt_at: stack.clock.inMs(30_000),
    });
    expect(delivery.attempts).toMatchObject([
      { status: null, error: expect.stringMatching(error), response_body: null },
    ]);
  });

  it('a refused connection is tried again', async () => {
    const gone = await startWebhookReceiver();
    await gone.stop();
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(gone.url);
    await workspace.publish();
    const { id } = await workspace.firstDelivery(webhook.id);
    expect((await workspace.delivery(id)).attempts).toMatchObject([{ error: 'the connection was refused' }]);
  });

  it('keeps the first 16 KiB of an answer, and cuts off one over 64 KiB', async () => {
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
    await eventually(() => stack.receiver.open() === 0);
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
    expect(delivery).toMatchObject({ status: 'pending', next_attempt_at: stack.clock.inMs(waitMs) });
  });

  it('429 with a date in Retry-After waits until then', async () => {
    const until = new Date(stack.clock.ms + 10 * MINUTE_MS);
    const delivery = await firstAttempt(answer(429, { headers: { 'retry-after': until.toUTCString() } }));
    const waitsMs = Date.parse(delivery.next_attempt_at!) - stack.clock.ms;
    expect(Math.abs(waitsMs - 10 * MINUTE_MS)).toBeLessThanOrEqual(1_000);
  });
});
