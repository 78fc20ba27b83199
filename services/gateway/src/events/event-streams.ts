import {
  isForReaders,
  membershipOf,
  operations,
  readsSettings,
  type WorkflowViewer,
} from '@waymark/contracts';
import { requireWorkspace, validate } from '@waymark/service-kit/http';
import type { Runtime } from '@waymark/service-kit/runtime';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';
import { writeHead } from '../exchange/respond.ts';
import { eventFeed } from './event-feed.ts';
import { control, type EventStream, openStream } from './event-stream.ts';
import { callerOf, streamShares } from './stream-shares.ts';

export type EventStreams = ReturnType<typeof eventStreams>;

const RECHECK_MS = 1_000;
/** Clients that are told to reconnect at the same time return one by one. */
const RECONNECT_MIN_MS = 500;
const RECONNECT_SPREAD_MS = 3_000;
const EVENT_STREAM_HEADERS = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no'];

/**
 * The live streams of this process: one feed from NATS, sent to each client that may read its workspace.
 * `confirm` authenticates and authorizes a request again, and throws when it is no longer allowed.
 */
export function eventStreams(
  runtime: Pick<Runtime, 'nats' | 'config' | 'log' | 'invalidations'>,
  options: { confirm: (exchange: Exchange) => Promise<void>; heartbeatMs: number; metrics: GatewayMetrics },
) {
  const { confirm, metrics } = options;
  const { reserve } = streamShares();
  const open = openStreams((count) => metrics.eventStreams.set(count));
  const feed = eventFeed(runtime, {
    onEvent(event, index) {
      for (const stream of open.ofWorkspace(event.workspaceId)) stream.offer(event, index);
    },
    onRestart() {
      for (const stream of open.all) stream.restart();
    },
  });
  let isDraining = false;

  /** Ends the streams of clients that may no longer read, or whose rights cannot be looked up. */
  const recheckAll = () => {
    for (const stream of open.all) {
      confirm(stream.exchange).catch(() => stream.end('access', RECONNECT_MIN_MS));
    }
  };
  runtime.invalidations.onMoved(recheckAll);
  const rechecks = setInterval(recheckAll, RECHECK_MS).unref();
  const heartbeats = setInterval(() => {
    for (const stream of open.all) stream.beat();
  }, options.heartbeatMs).unref();

  const endForDrain = (stream: EventStream) =>
    stream.end('drain', Math.round(RECONNECT_MIN_MS + Math.random() * RECONNECT_SPREAD_MS));

  return {
    /** Tells the people who follow a workspace. */
    tellPresence(workspaceId: string, viewer: WorkflowViewer): void {
      const message = control('presence', viewer);
      for (const stream of open.ofWorkspace(workspaceId)) {
        const { principal, query } = stream.exchange;
        if (principal?.type === 'session' && query['types'] === undefined) stream.tell(message);
      }
    },
    async open(exchange: Exchange): Promise<void> {
      const { types } = validate(operations.streamEvents.query, exchange.query);
      const workspaceId = requireWorkspace(exchange.workspaceId);
      const { response, request } = exchange;
      if (response.destroyed) return;
      response.once('close', reserve(callerOf(exchange, workspaceId)));
      await feed.ready();
      // Rights may have changed while the feed started.
      await confirm(exchange);
      if (response.destroyed) return;
      writeHead(exchange, 200, EVENT_STREAM_HEADERS);
      const stream = openStream({
        exchange,
        feed,
        workspaceId,
        wants: (type) => (types?.includes(type) ?? true) && (isForReaders(type) || isForSettings(exchange)),
        onDropped: () => metrics.eventStreamsDropped.inc(),
      });
      open.add(stream);
      const lastEventId = request.headers['last-event-id'];
      stream.begin(typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : null);
      if (isDraining) endForDrain(stream);
    },
    /** Tells every client to reconnect, and every later client too. */
    drain(): void {
      isDraining = true;
      for (const stream of open.all) endForDrain(stream);
    },
    async stop(): Promise<void> {
      clearInterval(rechecks);
      clearInterval(heartbeats);
      await feed.stop();
    },
  };
}

function openStreams(onCount: (count: number) => void) {
  const all = new Set<EventStream>();
  const byWorkspace = new Map<string, Set<EventStream>>();
  return {
    all,
    ofWorkspace: (workspaceId: string): Iterable<EventStream> => byWorkspace.get(workspaceId) ?? [],
    add(stream: EventStream): void {
      const { workspaceId } = stream;
      const ofWorkspace = byWorkspace.get(workspaceId) ?? new Set();
      byWorkspace.set(workspaceId, ofWorkspace.add(stream));
      onCount(all.add(stream).size);
      stream.exchange.response.once('close', () => {
        all.delete(stream);
        ofWorkspace.delete(stream);
        if (ofWorkspace.size === 0) byWorkspace.delete(workspaceId);
        onCount(all.size);
      });
    },
  };
}

function isForSettings({ principal }: Exchange): boolean {
  return principal !== null && readsSettings(membershipOf(principal)?.role);
}
