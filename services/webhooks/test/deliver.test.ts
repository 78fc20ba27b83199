import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@waymark/client';
import { newId } from '@waymark/contracts';
import { answer, sampleDecision, sampleEvent } from '@waymark/testing';
import { useWebhookStack } from './webhook-stack.ts';

const HOUR_MS = 3_600_000;
const stack = await useWebhookStack();

describe('an event', () => {
  it('is sent to an endpoint that subscribes to it, signed both ways', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(`${stack.receiver.url}/hooks?source=waymark`);
    const title = 'Größe 中文 \u2028 🚀';
    const data = {
      ...sampleDecision({ workspace_id: workspace.id, title }),
      n: 1.5,
      nested: { a: [null, true] },
    };
    const event = await workspace.publish({ data });
    const [request] = await stack.received(event.id);
    const { headers, rawBody, body } = request!;

    expect(request).toMatchObject({ method: 'POST', path: '/hooks?source=waymark' });
    expect(body).toEqual({
      id: event.id,
      type: 'decision.created',
      created_at: event.time,
      workspace_id: workspace.id,
      data,
    });
    const [delivery] = await workspace.deliveries(webhook.id, 1, ({ status }) => status === 'delivered');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-waymark-event': 'decision.created',
      'x-waymark-delivery': delivery!.id,
      'x-waymark-timestamp': String(Math.floor(stack.clock.ms / 1000)),
      'x-waymark-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      'webhook-id': delivery!.id,
      'webhook-timestamp': String(Math.floor(stack.clock.ms / 1000)),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    const now = () => stack.clock.ms;
    expect(verifyWebhook(rawBody, headers, webhook.secret, { now }).deliveryId).toBe(delivery!.id);
    const without = (pattern: RegExp) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !pattern.test(name)));
    verifyWebhook(rawBody, without(/^webhook-/), webhook.secret, { now });
    verifyWebhook(rawBody, without(/^x-waymark-/), webhook.secret, { now });
    expect(() =>
      verifyWebhook(Buffer.concat([rawBody, Buffer.from(' ')]), headers, webhook.secret, { now }),
    ).toThrow();
  });

  it('shows its delivery with the attempt and the answer', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    const answerHeaders = { 'x-desk': 'harbour', 'set-cookie': ['a=cookie-secret', 'b=cookie-secret'] };
    stack.receiver.behave(answer(202, { body: 'thank you', headers: answerHeaders }));
    const event = await workspace.publish();
    const [listed] = await workspace.deliveries(webhook.id, 1, ({ status }) => status === 'delivered');
    expect(listed).toEqual({
      id: expect.any(String),
      workspace_id: workspace.id,
      webhook_id: webhook.id,
      event_id: event.id,
      event_type: 'decision.created',
      status: 'delivered',
      series: 1,
      attempt: 1,
      max_attempts: 5,
      next_attempt_at: null,
      created_at: new Date(stack.clock.ms).toISOString(),
      finished_at: new Date(stack.clock.ms).toISOString(),
    });
    const { attempts, payload, body, ...rest } = await workspace.delivery(listed!.id);
    expect(rest).toEqual(listed);
    expect(payload).toMatchObject({ id: event.id, data: event.data });
    const { headers, rawBody } = stack.receiver.requests.at(-1)!;
    expect(body).toBe(rawBody.toString());
    expect(attempts).toEqual([
      {
        series: 1,
        attempt: 1,
        started_at: new Date(stack.clock.ms).toISOString(),
        request: { method: 'POST', url: stack.receiver.url, headers: expect.any(Array) },
        latency_ms: expect.any(Number),
        status: 202,
        error: null,
        response_headers: expect.arrayContaining([{ name: 'x-desk', value: 'harbour' }]),
        response_body: 'thank you',
      },
    ]);
    const shown = attempts[0]!.request!.headers;
    const { host: _host, connection: _connection, 'content-length': _length, ...sent } = headers;
    expect(Object.fromEntries(shown.map(({ name, value }) => [name.toLowerCase(), value]))).toEqual(sent);
    expect(JSON.stringify(attempts)).not.toMatch(/whsec_|cookie-secret/);
    stack.receiver.behave(answer());
  });

  it('goes to every endpoint that subscribes to it, with a delivery id for each, and to no other', async () => {
    const workspace = stack.workspace();
    const other = stack.workspace();
    const one = await workspace.createWebhook(`${stack.receiver.url}/one`);
    const two = await workspace.createWebhook(`${stack.receiver.url}/two`, {
      events: ['decision.updated', 'decision.created'],
    });
    await workspace.createWebhook(`${stack.receiver.url}/deletions`, { events: ['decision.deleted'] });
    await other.createWebhook(`${stack.receiver.url}/other`);
    const event = await workspace.publish();
    const requests = await stack.received(event.id, 2);
    expect(requests.map(({ path }) => path).sort()).toEqual(['/one', '/two']);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
    expect(() => verifyWebhook(requests[0]!.rawBody, requests[0]!.headers, 'x')).toThrow();
    for (const { id } of [one, two]) expect(await workspace.deliveries(id)).toHaveLength(1);
    const last = await other.publish();
    await stack.received(last.id);
    expect(stack.receiver.requests.filter(({ body }) => body?.id === event.id)).toHaveLength(2);
  });

  it('goes to every endpoint from before it, also when clocks differ by an hour', async () => {
    const workspace = stack.workspace();
    await workspace.createWebhook(`${stack.receiver.url}/before`);
    const byASlowClock = await workspace.publish({ time: stack.clock.inMs(-HOUR_MS) });
    const byAFastClock = await workspace.publish({ time: stack.clock.inMs(HOUR_MS) });
    await stack.received(byASlowClock.id);
    await stack.received(byAFastClock.id);
    stack.clock.advance(HOUR_MS);
    await workspace.createWebhook(`${stack.receiver.url}/ahead`);
    stack.clock.advance(-HOUR_MS);
    const later = await workspace.publish();
    expect((await stack.received(later.id, 2)).map(({ path }) => path).sort()).toEqual(['/ahead', '/before']);
  });

  it('from before an endpoint is not for it, even if it is handled later', async () => {
    const workspace = stack.workspace();
    const resume = await stack.holdEvents();
    const early = await workspace.publish({ time: stack.clock.inMs(HOUR_MS) });
    const webhook = await workspace.createWebhook(stack.receiver.url);
    await resume();
    const late = await workspace.publish();
    await stack.received(late.id);
    const delivered = await workspace.deliveries(webhook.id, 1);
    expect(delivered.map(({ event_id }) => event_id)).toEqual([late.id]);
    expect(stack.receiver.requests.some(({ body }) => body?.id === early.id)).toBe(false);
  });

  it('follows changes of endpoint settings at once', async () => {
    const workspace = stack.workspace();
    const one = await workspace.createWebhook(`${stack.receiver.url}/one`);
    await stack.received((await workspace.publish()).id);
    const two = await workspace.createWebhook(`${stack.receiver.url}/two`);
    await stack.received((await workspace.publish()).id, 2);
    await workspace.call('PATCH', `/webhooks/${one.id}`, { body: { events: ['decision.deleted'] } });
    await stack.received((await workspace.publish()).id);
    await workspace.call('PATCH', `/webhooks/${two.id}`, { body: { url: `${stack.receiver.url}/moved` } });
    const [moved] = await stack.received((await workspace.publish()).id);
    expect(moved!.path).toBe('/moved');
    await workspace.call('DELETE', `/webhooks/${two.id}`);
    await workspace.publish();
    const deleted = await workspace.publish({ type: 'decision.deleted' });
    await stack.received(deleted.id);
    await workspace.stats(one.id, { accepted: 3, delivered: 3 });
    expect(await stack.store.counters.read(two.id)).toMatchObject({ accepted: 3, delivered: 3 });
  });

  it('is sent once when NATS delivers it again, even at the same time', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    const event = sampleEvent({ workspace_id: workspace.id, time: new Date(stack.clock.ms).toISOString() });
    await Promise.all([stack.publish(event, { copies: 10 }), stack.publish(event, { copies: 10 })]);
    const after = await workspace.publish();
    await stack.received(after.id);
    await stack.publish(event);
    const last = await workspace.publish();
    await stack.received(last.id);
    expect(stack.receiver.requests.filter(({ body }) => body?.id === event.id)).toHaveLength(1);
    await workspace.stats(webhook.id, { accepted: 3, delivered: 3 });
  });

  it('of no workspace, or of a type that webhooks do not carry, is not sent', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    const subject = { type: 'user', id: newId(), version: 1 };
    await workspace.publish({
      type: 'user.signed_in',
      workspace_id: null,
      subject,
      data: { id: subject.id },
    });
    await workspace.publish({ type: 'user.signed_in', subject, data: { id: subject.id } });
    const event = await workspace.publish();
    await stack.received(event.id);
    expect(await workspace.deliveries(webhook.id)).toHaveLength(1);
  });

  it('whose data does not fit its type is not sent', async () => {
    const workspace = stack.workspace();
    const webhook = await workspace.createWebhook(stack.receiver.url);
    const forged = [
      await workspace.publish({ data: 'a text' }),
      await workspace.publish({ data: { id: newId() } }),
      await workspace.publish({
        data: sampleDecision({ workspace_id: workspace.id, tags: [{ nested: true }] as never }),
      }),
    ];
    const data = { ...sampleDecision({ workspace_id: workspace.id }), added: 'by a newer version' };
    const event = await workspace.publish({ data });
    expect((await stack.received(event.id))[0]!.body.data).toEqual(data);
    await workspace.stats(webhook.id, { accepted: 1, delivered: 1 });
    const sent = new Set(stack.receiver.requests.map(({ body }) => body.id));
    expect(forged.filter(({ id }) => sent.has(id))).toEqual([]);
  });

  it('about an endpoint does not go to that endpoint, but to others that subscribe', async () => {
    const workspace = stack.workspace();
    const events = ['webhook.updated'];
    const mine = await workspace.createWebhook(`${stack.receiver.url}/mine`, { events });
    const theirs = await workspace.createWebhook(`${stack.receiver.url}/theirs`, { events });
    await workspace.call('PATCH', `/webhooks/${mine.id}`, { body: { description: 'mine' } });
    await workspace.call('PATCH', `/webhooks/${theirs.id}`, { body: { description: 'theirs' } });
    for (const [told, about, description] of [
      [theirs, mine, 'mine'],
      [mine, theirs, 'theirs'],
    ] as const) {
      const [delivery, ...others] = await workspace.deliveries(told.id);
      const { payload } = await workspace.delivery(delivery!.id);
      expect(payload).toMatchObject({ type: 'webhook.updated', data: { id: about.id, description } });
      expect(JSON.stringify(payload)).not.toContain('whsec');
      expect(others).toEqual([]);
    }
  });
});
