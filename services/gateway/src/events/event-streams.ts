import { ApiError, isForReaders, limits, operations, roleReaches } from '@waymark/contracts';
import { validate } from '@waymark/service-kit/http';
import type { Runtime } from '@waymark/service-kit/runtime';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';
import { writeHead } from '../exchange/respond.ts';
import { eventFeed } from './event-feed.ts';
import { type EventStream, openStream } from './event-stream.ts';

/** The live streams of this process: one feed from NATS, told to each client that may read its workspace. */
export interface EventStreams {
  open(exchange: Exchange): Promise<void>;
  /** Tells every client to come again, and takes no more. */
  drain(): void;
  stop(): Promise<void>;
}

const RECHECK_MS = 1_000;
/** Clients that are sent away together come back one by one. */
const RECONNECT_MIN_MS = 500;
const RECONNECT_SPREAD_MS = 3_000;
const CALLER_RETRY_SECONDS = 5;

/** `confirm` finds out anew whose request it is and whether it is still allowed, and throws when it is not. */
export function eventStreams(
  runtime: Pick<Runtime, 'nats' | 'config' | 'log' | 'invalidations'>,
  options: {
    confirm: (exchange: Exchange) => Promise<void>;
    heartbeatMs: number;
    metrics: GatewayMetrics;
  },
): EventStreams {
  const { confirm, metrics } = options;
  const byWorkspace = new Map<string, Set<EventStream>>();
  const byCaller = new Map<string, number>();
  const all = new Set<EventStream>();
  let isDraining = false;

  const feed = eventFeed(runtime, {
    onEvent(event, place) {
      for (const stream of byWorkspace.get(event.workspaceId) ?? []) stream.offer(event, place);
    },
    onRestart() {
      for (const stream of all) stream.restart();
    },
  });

  function add(stream: EventStream, caller: string): void {
    const ofWorkspace = byWorkspace.get(stream.workspaceId) ?? new Set();
    byWorkspace.set(stream.workspaceId, ofWorkspace.add(stream));
    all.add(stream);
    metrics.eventStreams.set(all.size);
    stream.onClose(() => {
      all.delete(stream);
      ofWorkspace.delete(stream);
      if (ofWorkspace.size === 0 && byWorkspace.get(stream.workspaceId) === ofWorkspace) {
        byWorkspace.delete(stream.workspaceId);
      }
      release(caller);
      metrics.eventStreams.set(all.size);
    });
  }

  function reserve(caller: string): void {
    const open = byCaller.get(caller) ?? 0;
    if (open >= limits.eventStreamsPerCaller || all.size >= limits.eventStreams) {
      throw new ApiError('RATE_LIMITED', {
        message: `No more than ${limits.eventStreamsPerCaller} event streams at once; close one.`,
        retryAfterSeconds: CALLER_RETRY_SECONDS,
      });
    }
    byCaller.set(caller, open + 1);
  }

  function release(caller: string): void {
    const open = (byCaller.get(caller) ?? 1) - 1;
    if (open > 0) byCaller.set(caller, open);
    else byCaller.delete(caller);
  }

  /** Ends the stream of whoever may no longer read; whatever keeps that from being known ends it too. */
  async function recheck(stream: EventStream): Promise<void> {
    try {
      await confirm(stream.exchange);
    } catch {
      stream.end('access', RECONNECT_MIN_MS);
    }
  }

  const recheckAll = () => {
    for (const stream of all) void recheck(stream);
  };
  runtime.invalidations.onMoved(recheckAll);
  const rechecks = setInterval(recheckAll, RECHECK_MS).unref();
  const heartbeats = setInterval(() => {
    for (const stream of all) stream.beat();
  }, options.heartbeatMs).unref();

  const sendAway = (stream: EventStream) =>
    stream.end('drain', Math.round(RECONNECT_MIN_MS + Math.random() * RECONNECT_SPREAD_MS));

  return {
    async open(exchange) {
      const query = validate(operations.streamEvents.query, exchange.query);
      const caller = callerOf(exchange);
      reserve(caller);
      let stream: EventStream;
      try {
        await feed.ready();
        // Rights may have moved while the feed was waited for.
        await confirm(exchange);
        if (exchange.response.destroyed) return release(caller);
        writeHead(exchange, 200, [
          'Content-Type',
          'text/event-stream; charset=utf-8',
          'X-Accel-Buffering',
          'no',
        ]);
        stream = openStream({
          exchange,
          feed,
          workspaceId: query.workspace_id,
          wants: (type) => (query.types?.includes(type) ?? true) && (isForReaders(type) || isAdmin(exchange)),
          dropped: () => metrics.eventStreamsDropped.inc(),
        });
      } catch (error) {
        release(caller);
        throw error;
      }
      add(stream, caller);
      const lastEventId = exchange.request.headers['last-event-id'];
      stream.begin(typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : null);
      if (isDraining) sendAway(stream);
    },
    drain() {
      isDraining = true;
      for (const stream of all) sendAway(stream);
    },
    async stop() {
      clearInterval(rechecks);
      clearInterval(heartbeats);
      await feed.stop();
    },
  };
}

function callerOf({ principal }: Exchange): string {
  if (principal?.type === 'api_key') return principal.key_id;
  if (principal?.type === 'session') return principal.user_id;
  throw new ApiError('UNAUTHORIZED');
}

function isAdmin({ principal }: Exchange): boolean {
  return principal?.type === 'session' && roleReaches(principal.membership?.role ?? 'viewer', 'admin');
}
