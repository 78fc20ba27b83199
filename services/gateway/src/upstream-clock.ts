import type { ClientRequest } from 'node:http';
import { ApiError } from '@waymark/contracts';
import { UpstreamFailure } from './upstream-failure.ts';

/** What tells how far a request to a service has come. */
type Progress = Pick<ClientRequest, 'writableFinished' | 'writableNeedDrain' | 'destroy'> & {
  socket: { bytesRead: number; bytesWritten: number } | null;
};

/** A request to a service, as far as its clock is concerned. */
export interface Timed {
  request: Progress;
  answerTimeoutMs: number;
  isAnswered: boolean;
  /** When it was seen to be sent whole; null before. */
  sentAtMs: number | null;
  bytes: number;
  movedAtMs: number;
  /** Its place in the clock's list; -1 once forgotten. */
  place: number;
}

/** Gives up requests whose service does not answer, and connections on which nothing moves. */
export interface UpstreamClock {
  watch(request: ClientRequest, answerTimeoutMs: number): Timed;
  forget(timed: Timed): void;
  stop(): void;
}

const LOOK_MS = 250;
const IDLE_TIMEOUT_MS = 60_000;

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
    watch(request, answerTimeoutMs) {
      const timed: Timed = {
        request,
        answerTimeoutMs,
        isAnswered: false,
        sentAtMs: null,
        bytes: 0,
        movedAtMs: performance.now(),
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
  const { request, answerTimeoutMs } = timed;
  if (!timed.isAnswered && request.writableFinished) {
    timed.sentAtMs ??= nowMs;
    if (nowMs - timed.sentAtMs > answerTimeoutMs) {
      return new UpstreamFailure('timeout', `no answer within ${answerTimeoutMs} ms`);
    }
  }
  const bytes = (request.socket?.bytesRead ?? 0) + (request.socket?.bytesWritten ?? 0);
  if (bytes !== timed.bytes) {
    timed.bytes = bytes;
    timed.movedAtMs = nowMs;
    return null;
  }
  if (nowMs - timed.movedAtMs <= IDLE_TIMEOUT_MS) return null;
  // A body that neither ends nor waits to be read is one that the client does not send.
  if (!request.writableFinished && !request.writableNeedDrain) return new ApiError('REQUEST_TIMEOUT');
  return new UpstreamFailure('timeout', `nothing moved for ${IDLE_TIMEOUT_MS} ms`);
}
