import type { ClientRequest } from 'node:http';
import { ApiError } from '@waymark/contracts';
import { inFlight } from '../exchange/in-flight.ts';
import { UpstreamFailure } from './upstream-failure.ts';

interface Progress extends Pick<ClientRequest, 'writableFinished' | 'writableNeedDrain'> {
  socket: { bytesRead: number; bytesWritten: number } | null;
  destroy(error: Error): unknown;
}

export interface TimeLimits {
  answerMs: number;
  /** The limit for a whole body, and for each 64 KiB of a body that may stream. */
  bodyMs: number;
  mayStream: boolean;
  isReceived: boolean;
}

export type UpstreamTimeouts = ReturnType<typeof upstreamTimeouts>;
export type WatchedRequest = ReturnType<typeof watchedRequest>;

const CHECK_MS = 250;
const IDLE_TIMEOUT_MS = 60_000;
/** The least progress of a streamed body in a period, less than any current line carries in half a minute. */
const PERIOD_BYTES_MIN = 65_536;

/** Ends overdue requests. Checking all of them four times a second is cheaper than a timer for each. */
export function upstreamTimeouts() {
  const all = inFlight<WatchedRequest>();
  let timer: NodeJS.Timeout | undefined;

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function check(): void {
    const nowMs = performance.now();
    for (const watched of [...all.items]) {
      const failure = overdue(watched, nowMs);
      if (failure) watched.request.destroy(failure);
    }
    // An idle gateway does not wake up.
    if (all.items.length === 0) stop();
  }

  return {
    watch(request: Progress, limits: TimeLimits): WatchedRequest {
      const watched = watchedRequest(request, limits, performance.now());
      all.add(watched);
      timer ??= setInterval(check, CHECK_MS).unref();
      return watched;
    },
    forget: (watched: WatchedRequest | null) => void (watched && all.remove(watched)),
    stop,
  };
}

export function watchedRequest(request: Progress, limits: TimeLimits, nowMs: number) {
  const bytes = bytesOf(request);
  return {
    request,
    limits,
    isAnswered: false,
    index: -1,
    /** When the gateway began to wait for the service alone; null while the body is sent. */
    sentAtMs: limits.isReceived ? nowMs : null,
    periodAtMs: nowMs,
    periodBytes: bytes,
    bytes,
    movedAtMs: nowMs,
  };
}

/** Returns the error that ends a request at `nowMs`, else null. Records progress in `watched`. */
export function overdue(watched: WatchedRequest, nowMs: number): UpstreamFailure | ApiError | null {
  const { request, limits } = watched;
  if (request.writableFinished) watched.sentAtMs ??= nowMs;
  const bytes = bytesOf(request);
  if (watched.sentAtMs === null) return bodyOverdue(watched, bytes, nowMs);
  if (!watched.isAnswered && nowMs - watched.sentAtMs > limits.answerMs) {
    return new UpstreamFailure('timeout', `no answer within ${limits.answerMs} ms`);
  }
  if (bytes !== watched.bytes) {
    watched.bytes = bytes;
    watched.movedAtMs = nowMs;
    return null;
  }
  if (nowMs - watched.movedAtMs <= IDLE_TIMEOUT_MS) return null;
  return new UpstreamFailure('timeout', `nothing moved for ${IDLE_TIMEOUT_MS} ms`);
}

function bodyOverdue(watched: WatchedRequest, bytes: number, nowMs: number) {
  const { request, limits } = watched;
  if (nowMs - watched.periodAtMs <= limits.bodyMs) return null;
  if (limits.mayStream && bytes - watched.periodBytes >= PERIOD_BYTES_MIN) {
    watched.periodAtMs = nowMs;
    watched.periodBytes = bytes;
    return null;
  }
  // Bytes that wait to be written are held up by the service; otherwise the client is slow.
  if (request.writableNeedDrain) {
    return new UpstreamFailure('timeout', `the body was not taken within ${limits.bodyMs} ms`);
  }
  return new ApiError('REQUEST_TIMEOUT');
}

function bytesOf({ socket }: Progress): number {
  return (socket?.bytesRead ?? 0) + (socket?.bytesWritten ?? 0);
}
