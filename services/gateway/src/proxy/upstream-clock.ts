import type { ClientRequest } from 'node:http';
import { ApiError } from '@waymark/contracts';
import { UpstreamFailure } from './upstream-failure.ts';

/** What tells how far a request to a service has come. */
type Progress = Pick<ClientRequest, 'writableFinished' | 'writableNeedDrain' | 'destroy'> & {
  socket: { bytesRead: number; bytesWritten: number } | null;
};

export interface Times {
  answerMs: number;
  /** For a whole body; one that may be streamed has to progress in each such time. */
  bodyMs: number;
  mayStream: boolean;
  /** Nothing is left to wait for from the client. */
  isWhole: boolean;
}

/** A request to a service, as far as its clock is concerned. */
export interface Timed {
  request: Progress;
  times: Times;
  isAnswered: boolean;
  /** Since when it is for the service to go on: the request was at hand whole, or seen to be sent whole. Null before. */
  sentAtMs: number | null;
  /** The window in which a body has to arrive, or to progress. */
  windowAtMs: number;
  windowBytes: number;
  bytes: number;
  movedAtMs: number;
  /** Its place in the clock's list; -1 once forgotten. */
  place: number;
}

/** Gives up requests whose service does not answer, and connections on which nothing moves. */
export interface UpstreamClock {
  watch(request: ClientRequest, times: Times): Timed;
  forget(timed: Timed): void;
  stop(): void;
}

const LOOK_MS = 250;
const IDLE_TIMEOUT_MS = 60_000;
/** Of a streamed body: less than any line in use today carries in half a minute. */
const WINDOW_BYTES_MIN = 65_536;

/**
 * Looks at all requests four times a second: cheaper than timers of their own, and precise enough for seconds. They stand in
 * an array, because the tables that a busy Set leaves behind hold on to each other, and so to finished requests.
 */
export function upstreamClock(): UpstreamClock {
  const watched: Timed[] = [];
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const timed of [...watched]) {
      const failure = overdue(timed, nowMs);
      if (failure) timed.request.destroy(failure);
    }
  }, LOOK_MS).unref();
  return {
    watch(request, times) {
      const nowMs = performance.now();
      const bytes = bytesOf(request);
      const timed: Timed = {
        request,
        times,
        isAnswered: false,
        sentAtMs: times.isWhole ? nowMs : null,
        windowAtMs: nowMs,
        windowBytes: bytes,
        bytes,
        movedAtMs: nowMs,
        place: watched.length,
      };
      watched.push(timed);
      return timed;
    },
    forget(timed) {
      if (timed.place < 0) return;
      const last = watched.pop()!;
      if (last !== timed) {
        watched[timed.place] = last;
        last.place = timed.place;
      }
      timed.place = -1;
    },
    stop: () => clearInterval(timer),
  };
}

/** Why a request is to be given up at `nowMs`; null while it may go on. Notes what it sees in `timed`. */
export function overdue(timed: Timed, nowMs: number): UpstreamFailure | ApiError | null {
  const { request, times } = timed;
  if (request.writableFinished) timed.sentAtMs ??= nowMs;
  const bytes = bytesOf(request);
  if (timed.sentAtMs === null) return bodyOverdue(timed, bytes, nowMs);
  if (!timed.isAnswered && nowMs - timed.sentAtMs > times.answerMs) {
    return new UpstreamFailure('timeout', `no answer within ${times.answerMs} ms`);
  }
  if (bytes !== timed.bytes) {
    timed.bytes = bytes;
    timed.movedAtMs = nowMs;
    return null;
  }
  if (nowMs - timed.movedAtMs <= IDLE_TIMEOUT_MS) return null;
  return new UpstreamFailure('timeout', `nothing moved for ${IDLE_TIMEOUT_MS} ms`);
}

function bodyOverdue(timed: Timed, bytes: number, nowMs: number): UpstreamFailure | ApiError | null {
  const { request, times } = timed;
  if (nowMs - timed.windowAtMs <= times.bodyMs) return null;
  if (times.mayStream && bytes - timed.windowBytes >= WINDOW_BYTES_MIN) {
    timed.windowAtMs = nowMs;
    timed.windowBytes = bytes;
    return null;
  }
  // A body that waits to be read is kept up by the service; else by the client.
  if (request.writableNeedDrain) {
    return new UpstreamFailure('timeout', `the body was not taken within ${times.bodyMs} ms`);
  }
  return new ApiError('REQUEST_TIMEOUT');
}

function bytesOf({ socket }: Progress): number {
  return (socket?.bytesRead ?? 0) + (socket?.bytesWritten ?? 0);
}
