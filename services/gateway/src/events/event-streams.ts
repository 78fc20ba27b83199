import {
  isForReaders,
  limits,
  membershipOf,
  operations,
  readsSettings,
  type WorkflowViewer,
} from '@waymark/contracts';
import { requireWorkspace, validate } from '@waymark/service-kit/http';
import { createAdmission } from '@waymark/service-kit/jobs';
import type { Runtime } from '@waymark/service-kit/runtime';
import type { CallerChecks } from '../auth/caller-checks.ts';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { holdPlace } from '../http/hold-place.ts';
import { writeHead } from '../http/respond.ts';
import type { GatewayResponse } from '../request-state.ts';
import { eventFeed } from './event-feed.ts';
import { control, type EventStream, openStream } from './event-stream.ts';

export type EventStreams = ReturnType<typeof eventStreams>;

const RETRY_SECONDS = 5;
/** The least delay of a reconnection; each client's differs, so that they do not return at the same time. */
const RECONNECT_MIN_MS = 500;
const RECONNECT_SPREAD_MS = 3_000;
const INBOX = control('inbox', {});
const EVENT_STREAM_HEADERS = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no'];

/**
 * The live streams of this process: one feed from NATS, sent to each client that may read its workspace. A
 * stream ends when its client may no longer read, or its rights cannot be looked up.
 */
export function eventStreams(
  runtime: Pick<Runtime, 'nats' | 'config' | 'log' | 'metrics'>,
  options: { checks: CallerChecks; heartbeatMs: number; metrics: GatewayMetrics },
) {
  const { checks, metrics } = options;
  const streams = createAdmission({
    ...runtime.metrics.admission('event_streams'),
    what: 'event streams',
    total: limits.eventStreams,
    most: limits.eventStreamsPerCaller,
    retrySeconds: RETRY_SECONDS,
  });
  const open = openStreams();
  const feed = eventFeed(runtime, {
    onEvent(event, index) {
      for (const stream of open.ofWorkspace(event.workspaceId)) stream.offer(event, index);
    },
    onRestart() {
      for (const stream of open.all) stream.restart();
    },
  });
  let isDraining = false;

  const heartbeats = setInterval(() => {
    for (const stream of open.all) {
      if (stream.isOld()) reconnectLater(stream, 'age');
      else stream.beat();
    }
  }, options.heartbeatMs).unref();

  const reconnectLater = (stream: EventStream, reason: 'age' | 'drain') =>
    stream.end(reason, Math.round(RECONNECT_MIN_MS + Math.random() * RECONNECT_SPREAD_MS));

  return {
    /** Tells the pages that follow a workspace who views a workflow. */
    tellPresence(workspaceId: string, viewer: WorkflowViewer): void {
      const message = control('presence', viewer);
      for (const stream of open.ofWorkspace(workspaceId)) if (userOf(stream)) stream.tell(message);
    },
    /** Tells the pages of a user that the inbox has changed. */
    tellInbox(userId: string): void {
      for (const stream of open.ofUser(userId)) stream.tell(INBOX);
    },
    async open(response: GatewayResponse): Promise<void> {
      const { query, workspaceId: named } = response.locals;
      const { types } = validate(operations.streamEvents.query, query);
      const workspaceId = requireWorkspace(named);
      if (response.req.method === 'HEAD') {
        writeHead(response, 200, EVENT_STREAM_HEADERS);
        response.end();
        return;
      }
      holdPlace(streams, response);
      await feed.ready();
      // Rights may have changed while the feed started.
      await checks.confirm(response);
      if (response.destroyed) return;
      writeHead(response, 200, EVENT_STREAM_HEADERS);
      const stream = openStream({
        response,
        feed,
        workspaceId,
        wants: (type) => (types?.includes(type) ?? true) && (isForReaders(type) || isForSettings(response)),
        onDropped: () => metrics.eventStreamsDropped.inc(),
      });
      open.add(stream);
      checks.watch(response, () => stream.end('access', RECONNECT_MIN_MS));
      const lastEventId = response.req.headers['last-event-id'];
      stream.begin(typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : null);
      if (isDraining) reconnectLater(stream, 'drain');
    },
    /** Tells every client to reconnect, and every later client too. */
    drain(): void {
      isDraining = true;
      for (const stream of open.all) reconnectLater(stream, 'drain');
    },
    async stop(): Promise<void> {
      clearInterval(heartbeats);
      await feed.stop();
    },
  };
}

function openStreams() {
  const all = new Set<EventStream>();
  const byWorkspace = new Map<string, Set<EventStream>>();
  const byUser = new Map<string, Set<EventStream>>();

  /** Keeps a stream under a key until it ends. */
  function keep(streams: Map<string, Set<EventStream>>, key: string, stream: EventStream): void {
    const ofKey = streams.get(key) ?? new Set();
    streams.set(key, ofKey.add(stream));
    stream.response.once('close', () => {
      ofKey.delete(stream);
      if (ofKey.size === 0) streams.delete(key);
    });
  }

  return {
    all,
    ofWorkspace: (workspaceId: string): Iterable<EventStream> => byWorkspace.get(workspaceId) ?? [],
    ofUser: (userId: string): Iterable<EventStream> => byUser.get(userId) ?? [],
    add(stream: EventStream): void {
      all.add(stream);
      stream.response.once('close', () => all.delete(stream));
      keep(byWorkspace, stream.workspaceId, stream);
      const userId = userOf(stream);
      if (userId) keep(byUser, userId, stream);
    },
  };
}

/** The user of a page; null for programs, and for streams of certain events only. */
function userOf({ response: { locals } }: EventStream): string | null {
  const { principal, query } = locals;
  return principal?.type === 'session' && query['types'] === undefined ? principal.user_id : null;
}

function isForSettings({ locals: { principal } }: GatewayResponse): boolean {
  return principal !== null && readsSettings(membershipOf(principal)?.role);
}
