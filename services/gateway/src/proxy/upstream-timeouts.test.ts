import { describe, expect, it } from '@jest/globals';
import { overdue, type TimeLimits, type WatchedRequest, watchedRequest } from './upstream-timeouts.ts';

const SECOND = 1_000;

/** A request that is watched from 0 ms on. */
function watched(progress: Partial<WatchedRequest['request']> = {}, limits: Partial<TimeLimits> = {}) {
  const request = {
    writableFinished: true,
    writableNeedDrain: false,
    socket: { bytesRead: 0, bytesWritten: 0 },
    destroy: () => undefined as never,
    ...progress,
  };
  const all = { answerMs: 10 * SECOND, bodyMs: 30 * SECOND, mayStream: false, isReceived: false, ...limits };
  return watchedRequest(request, all, 0);
}

describe('a request to a service', () => {
  it('may stream as long as data moves', () => {
    const streaming = watched();
    streaming.isAnswered = true;
    for (let minute = 0; minute < 100; minute += 1) {
      streaming.request.socket!.bytesRead += 1;
      expect(overdue(streaming, minute * 60 * SECOND)).toBeNull();
    }
    expect(overdue(streaming, 99 * 60 * SECOND + 60 * SECOND)).toBeNull();
    expect(overdue(streaming, 99 * 60 * SECOND + 60 * SECOND + 1)).toMatchObject({ kind: 'timeout' });
  });

  it('may send a long body for as long as it progresses', () => {
    const sending = watched({ writableFinished: false }, { mayStream: true });
    let nowMs = 0;
    for (let window = 0; window < 100; window += 1) {
      sending.request.socket!.bytesWritten += 65_536;
      nowMs += 30 * SECOND + 1;
      expect(overdue(sending, nowMs)).toBeNull();
    }
    sending.request.socket!.bytesWritten += 65_535;
    expect(overdue(sending, nowMs + 30 * SECOND)).toBeNull();
    expect(overdue(sending, nowMs + 30 * SECOND + 1)).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  it('whose body the service does not read is a failure of the service', () => {
    const untaken = watched({ writableFinished: false, writableNeedDrain: true });
    expect(overdue(untaken, 30 * SECOND + 1)).toMatchObject({ kind: 'timeout' });
  });

  it('that was received completely must be read and answered within the time limit of an answer', () => {
    const whole = watched({ writableFinished: false, writableNeedDrain: true }, { isReceived: true });
    expect(overdue(whole, 10 * SECOND)).toBeNull();
    expect(overdue(whole, 10 * SECOND + 1)).toMatchObject({ kind: 'timeout' });
  });
});
