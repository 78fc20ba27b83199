import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type EventEnvelope, type EventType, limits, newId } from '@waymark/contracts';
import {
  type EventSource,
  eventually,
  openEventSource,
  type StreamMessage,
  sampleEvent,
  streamOf,
  watchEvents,
} from '@waymark/testing';
import { BEATS_MAX } from '../src/events/event-stream.ts';
import { startGateway } from '../src/service.ts';
import { useStand } from './stand.ts';

const HEARTBEAT_MS = 1_000;
const stand = useStand({ env: { LIMIT_SCALE: '1000', EVENT_HEARTBEAT_MS: String(HEARTBEAT_MS) } });
let nats: Awaited<ReturnType<typeof watchEvents>>;
const opened: EventSource[] = [];

beforeAll(async () => {
  nats = await watchEvents(stand.env);
});
afterEach(() => {
  for (const source of opened.splice(0)) source.close();
});
afterAll(async () => {
  await nats.stop();
});

interface Credentials {
  key?: string;
  cookie?: string;
}

async function listen(
  workspaceId: string,
  { key, cookie }: Credentials,
  options: { lastEventId?: string | undefined; types?: string; url?: string } = {},
): Promise<EventSource> {
  const query = new URLSearchParams({ workspaceId, ...(options.types && { types: options.types }) });
  const source = await openEventSource(`${options.url ?? stand.url}/v1/events?${query}`, {
    ...(key && { authorization: `Bearer ${key}` }),
    ...(cookie && { cookie }),
    ...(options.lastEventId && { 'last-event-id': options.lastEventId }),
  });
  opened.push(source);
  return source;
}

/** Publishes an event to the stream as an outbox does. */
function publish(
  workspaceId: string | null,
  type: EventType = 'node.updated',
  more: Partial<EventEnvelope> = {},
): EventEnvelope {
  const event = sampleEvent({
    type,
    workspace_id: workspaceId,
    actor: { type: 'session', id: newId(), name: 'Ada', key_prefix: null },
    subject: { type: 'node', id: newId(), version: 3 },
    data: { workflow_id: newId(), title: 'what it says' },
    changes: { title: { before: 'a', after: 'b' } },
    ...more,
  });
  nats.nats.publish(streamOf(stand.env).subject(type), JSON.stringify(event));
  return event;
}

const events = (source: EventSource) =>
  source.messages.filter(({ event }) => event === 'message').map(({ data }) => data.id as string);
const ready = (source: EventSource) =>
  eventually(() => source.messages.find(({ event }) => event === 'ready') ?? false) as Promise<StreamMessage>;

/** Follows a new workspace with a key, and waits until the stream is ready. */
async function follow(options: Parameters<typeof listen>[2] = {}) {
  const { key, principal } = stand.accounts.createKey();
  const workspaceId = principal.workspace_id;
  // A gateway that cannot read the latest events in three seconds answers 503, and clients retry.
  const source = await eventually(async () => {
    const source = await listen(workspaceId, { key }, options);
    expect(source.status).toBe(200);
    return source;
  });
  const { data } = await ready(source);
  return { key, workspaceId, source, data };
}

describe('GET /events', () => {
  it('reports a change without its content, the client address or other data of the request', async () => {
    const { source, workspaceId, data } = await follow();
    expect(source.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-ratelimit-limit': expect.any(String),
    });
    expect(data).toEqual({ resumed: false });
    const event = publish(workspaceId);
    await eventually(() => events(source).length === 1);
    expect(source.messages.at(-1)!.data).toEqual({
      id: event.id,
      type: 'node.updated',
      time: event.time,
      workspace_id: workspaceId,
      subject: event.subject,
      actor: { type: 'session', id: event.actor.id, name: 'Ada' },
      changed: ['title'],
      workflow_id: (event.data as { workflow_id: string }).workflow_id,
      node_id: null,
      decision_id: null,
      request_id: event.request_id,
    });
  });

  it('reports no event of another workspace or of a user’s own account', async () => {
    const { source, workspaceId } = await follow();
    publish(newId());
    publish(null, 'user.signed_in');
    const mine = publish(workspaceId);
    await eventually(() => events(source).includes(mine.id));
    expect(events(source)).toEqual([mine.id]);
  });

  it('reports no event whose envelope is forged', async () => {
    const { source, workspaceId } = await follow();
    for (const forged of [{ subject: 'all' }, { subject: undefined }, { actor: { name: ['Ada'] } }])
      publish(workspaceId, 'node.updated', forged as never);
    const genuine = publish(workspaceId);
    await eventually(() => events(source).includes(genuine.id));
    expect(events(source)).toEqual([genuine.id]);
  });

  it('reports changes of settings to admins only, also after a change of role', async () => {
    const workspaceId = newId();
    const { key } = stand.accounts.createKey({ workspace_id: workspaceId });
    const admin = stand.accounts.createSession();
    stand.accounts.join(admin.userId, { workspace_id: workspaceId, role: 'admin' });
    const member = stand.accounts.createSession();
    stand.accounts.join(member.userId, { workspace_id: workspaceId, role: 'member' });
    const sources = await Promise.all([
      listen(workspaceId, { key }),
      listen(workspaceId, member),
      listen(workspaceId, admin),
    ]);
    await Promise.all(sources.map(ready));
    const settings = publish(workspaceId, 'api_key.created');
    const content = publish(workspaceId, 'decision.updated');
    await eventually(() => sources.every((source) => events(source).includes(content.id)));
    expect(sources.map((source) => events(source).includes(settings.id))).toEqual([false, false, true]);
    await stand.accounts.change(admin.userId, { workspace_id: workspaceId, role: 'viewer' });
    await eventually(async () => {
      const later = publish(workspaceId, 'api_key.created');
      const mark = publish(workspaceId, 'decision.updated');
      await eventually(() => events(sources[2]!).includes(mark.id));
      return !events(sources[2]!).includes(later.id);
    });
  });

  it('accepts a list of event types, and refuses an unknown type', async () => {
    const { key, source, workspaceId } = await follow({ types: 'edge.created,edge.deleted' });
    publish(workspaceId, 'node.updated');
    const edge = publish(workspaceId, 'edge.deleted');
    await eventually(() => events(source).length > 0);
    expect(events(source)).toEqual([edge.id]);
    const query = { workspaceId, types: 'edge.created,edge.bent' };
    expect((await stand.call('GET', '/events', { key, query })).status).toBe(400);
  });

  it('sends heartbeats with the current id while nothing happens', async () => {
    const { source } = await follow();
    const before = source.lastEventId();
    publish(newId());
    await eventually(() => source.text().includes(': still here') && source.lastEventId() !== before);
  });
});

describe('an interrupted stream', () => {
  it('resumes after Last-Event-ID, on this gateway and on one that has just started', async () => {
    const { key, source, workspaceId } = await follow();
    const first = publish(workspaceId);
    await eventually(() => events(source).includes(first.id));
    const lastEventId = source.lastEventId();
    source.close();
    publish(newId());
    const missed = [publish(workspaceId), publish(workspaceId, 'edge.created')];
    const started = await startGateway(stand.env);
    try {
      for (const url of [stand.url, started.url]) {
        const resumed = await listen(workspaceId, { key }, { lastEventId, url });
        expect((await ready(resumed)).data).toEqual({ resumed: true });
        await eventually(() => events(resumed).length >= 2);
        expect(events(resumed)).toEqual(missed.map(({ id }) => id));
      }
      const both = opened.slice(-2);
      const live = publish(workspaceId);
      await eventually(() => both.every((one) => events(one).at(-1) === live.id));
      // Every gateway uses the same ids, so a client can resume at any of them.
      expect(both[0]!.lastEventId()).toBe(both[1]!.lastEventId());
    } finally {
      await started.stop();
    }
  });

  it('tells the client to read everything again if Last-Event-ID is not valid, or not reached yet', async () => {
    const { key, source: first, workspaceId } = await follow();
    const notReached = first.lastEventId()!.replace(/\d+$/, '999999999');
    for (const lastEventId of ['nonsense', 'abc-1', '-', '9'.repeat(400), notReached]) {
      const source = await listen(workspaceId, { key }, { lastEventId });
      await ready(source);
      expect([lastEventId, source.messages.map(({ event }) => event)]).toEqual([
        lastEventId,
        ['reset', 'ready'],
      ]);
    }
  });
});

describe('a stream ends', () => {
  /** Runs without periodic checks, so that only an announcement, or a call of `beat`, can end a stream. */
  async function withoutIntervals(work: (url: string, beat: () => void) => Promise<void>): Promise<void> {
    const intervals = jest.spyOn(globalThis, 'setInterval');
    const beats: (() => void)[] = [];
    intervals.mockImplementation((run, ms) => {
      if (ms === HEARTBEAT_MS) beats.push(run);
      return setTimeout(() => undefined, 0);
    });
    const gateway = await startGateway(stand.env).finally(() => intervals.mockRestore());
    const beat = () => {
      for (const run of beats) run();
    };
    await work(gateway.url, beat).finally(() => gateway.stop());
  }

  it('at once when its key is revoked', () =>
    withoutIntervals(async (url) => {
      const key = stand.accounts.createKey();
      const workspaceId = key.principal.workspace_id;
      const source = await listen(workspaceId, key, { url });
      await ready(source);
      await stand.accounts.revoke(key);
      await source.ended;
      expect(source.messages.at(-1)).toMatchObject({ event: 'reconnect', data: { reason: 'access' } });
      const again = await listen(workspaceId, key, { url, lastEventId: source.lastEventId() });
      expect(again.status).toBe(401);
    }));

  it('when its member is removed', () =>
    withoutIntervals(async (url) => {
      const workspaceId = newId();
      const member = stand.accounts.createSession();
      stand.accounts.join(member.userId, { workspace_id: workspaceId, role: 'viewer' });
      const source = await listen(workspaceId, member, { url });
      await ready(source);
      await stand.accounts.change(member.userId, { workspace_id: workspaceId, role: null });
      await source.ended;
      const secret = publish(workspaceId);
      expect(source.text()).not.toContain(secret.id);
    }));

  it('after about an hour, and the client resumes it', () =>
    withoutIntervals(async (url, beat) => {
      const { key, source, workspaceId } = await follow({ url });
      for (let n = 0; n < BEATS_MAX; n += 1) beat();
      expect(source.messages.filter(({ event }) => event === 'reconnect')).toEqual([]);
      beat();
      await source.ended;
      expect(source.messages.at(-1)).toMatchObject({ event: 'reconnect', data: { reason: 'age' } });
      const { id } = publish(workspaceId);
      const again = await listen(workspaceId, { key }, { url, lastEventId: source.lastEventId() });
      await eventually(() => expect(events(again)).toEqual([id]));
    }));

  it('when its client stops reading, and the client can resume it', async () => {
    const dropped = () => stand.metric('waymark_event_streams_dropped_total');
    const before = await dropped();
    const { key, source, workspaceId } = await follow();
    source.pause();
    const name = 'x'.repeat(100_000);
    const actor = { type: 'session', id: newId(), name, key_prefix: null } as const;
    const sent: string[] = [];
    for (let i = 0; i < 200; i += 1) sent.push(publish(workspaceId, 'node.updated', { actor }).id);
    await eventually(async () => (await dropped()) > before);
    source.resume();
    await source.ended;
    expect(events(source).length).toBeLessThan(sent.length);
    const resumed = await listen(workspaceId, { key }, { lastEventId: source.lastEventId() });
    await eventually(() => events(source).length + events(resumed).length === sent.length);
    expect([...events(source), ...events(resumed)]).toEqual(sent);
  });

  it('when the gateway stops, and tells the client when to reconnect', async () => {
    const second = await startGateway(stand.env);
    const { source } = await follow({ url: second.url });
    await second.stop();
    await source.ended;
    expect(source.messages.at(-1)).toMatchObject({ event: 'reconnect', data: { reason: 'drain' } });
    expect(source.text()).toMatch(/retry: \d{3,4}\n/);
  });
});

describe('GET /events refuses', () => {
  it('more streams than a user may have, with any number of keys, until another one is closed', async () => {
    const { key, principal } = stand.accounts.createKey();
    const { workspace_id, user_id } = principal;
    const sources: EventSource[] = [];
    for (let i = 0; i < limits.eventStreamsPerCaller; i += 1)
      sources.push(await listen(workspace_id, { key }));
    const refused = await listen(workspace_id, stand.accounts.createKey({ workspace_id, user_id }));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    await eventually(() => refused.text().includes('"reason":"concurrency"'));
    const colleague = stand.accounts.createKey({ workspace_id });
    expect((await listen(workspace_id, colleague)).status).toBe(200);
    sources[0]!.close();
    await eventually(async () => (await listen(workspace_id, { key })).status === 200);
    const stranger = stand.accounts.createKey();
    expect((await listen(stranger.principal.workspace_id, stranger)).status).toBe(200);
  });
});
