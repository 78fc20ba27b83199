import type { ClientRequest } from 'node:http';
import { ApiError } from '@waymark/contracts';
import { UpstreamFailure } from './upstream-failure.ts';

/** A request to a service, as far as its clock is concerned. */
export interface Timed {
  request: ClientRequest;
  answerTimeoutMs: number;
  isAnswered: boolean;
  /** When it was seen to be sent whole; null before. */
  sentAtMs: number | null;
  bytes: number;
  movedAtMs: number;
}

/** Gives up requests whose service does not answer, and connections on which nothing moves. */
export interface UpstreamClock {
  watch(request: ClientRequest, answerTimeoutMs: number): Timed;
  forget(timed: Timed): void;
  stop(): void;
}

const LOOK_MS = 250;
const IDLE_TIMEOUT_MS = 60_000;

/** Looks at all requests four times a second: cheaper than timers of their own, and precise enough for seconds. */
export function upstreamClock(): UpstreamClock {
  const watched = new Set<Timed>();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const timed of watched) look(timed, nowMs);
  }, LOOK_MS).unref();
  return {
    watch(request, answerTimeoutMs) {
      const movedAtMs = performance.now();
      const timed: Timed = {
        request,
        answerTimeoutMs,
        isAnswered: false,
        sentAtMs: null,
        bytes: 0,
        movedAtMs,
      };
      watched.add(timed);
      return timed;
    },
    forget(timed) {
      watched.delete(timed);
    },
    stop: () => clearInterval(timer),
  };
}

function look(timed: Timed, nowMs: number): void {
  const { request, answerTimeoutMs } = timed;
  if (!timed.isAnswered && request.writableFinished) {
    timed.sentAtMs ??= nowMs;
    if (nowMs - timed.sentAtMs > answerTimeoutMs) {
      request.destroy(new UpstreamFailure('timeout', `no answer within ${answerTimeoutMs} ms`));
      return;
    }
  }
  const bytes = (request.socket?.bytesRead ?? 0) + (request.socket?.bytesWritten ?? 0);
  if (bytes !== timed.bytes) {
    timed.bytes = bytes;
    timed.movedAtMs = nowMs;
  } else if (nowMs - timed.movedAtMs > IDLE_TIMEOUT_MS) {
    // A body that neither ends nor waits to be read is one that the client does not send.
    const isClientsFault = !request.writableFinished && !request.writableNeedDrain;
    const failure = new UpstreamFailure('timeout', `nothing moved for ${IDLE_TIMEOUT_MS} ms`);
    request.destroy(isClientsFault ? new ApiError('REQUEST_TIMEOUT') : failure);
  }
}
