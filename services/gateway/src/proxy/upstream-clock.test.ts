import { describe, expect, it } from '@jest/globals';
import { overdue, type Timed, type Times } from './upstream-clock.ts';

const SECOND = 1_000;

function timed(progress: Partial<Timed['request']> = {}, times: Partial<Times> = {}): Timed {
  const request = {
    writableFinished: true,
    writableNeedDrain: false,
    socket: { bytesRead: 0, bytesWritten: 0 },
    destroy: () => undefined as never,
    ...progress,
  };
  return {
    request,
    times: { answerMs: 10 * SECOND, bodyMs: 30 * SECOND, mayStream: false, isWhole: false, ...times },
    isAnswered: false,
    ...{
      sentAtMs: times.isWhole ? 0 : null,
      windowAtMs: 0,
      windowBytes: 0,
      bytes: 0,
      movedAtMs: 0,
      place: 0,
    },
  };
}

describe('a request to a service', () => {
  it('is given up when its answer has not begun in time, counted from when it was sent', () => {
    const waiting = timed();
    expect(overdue(waiting, 30 * SECOND)).toBeNull();
    expect(overdue(waiting, 40 * SECOND)).toBeNull();
    expect(overdue(waiting, 40 * SECOND + 1)).toMatchObject({ kind: 'timeout' });
  });

  it('may stream for as long as something moves', () => {
    const streaming = timed();
    streaming.isAnswered = true;
    for (let minute = 0; minute < 100; minute += 1) {
      streaming.request.socket!.bytesRead += 1;
      expect(overdue(streaming, minute * 60 * SECOND)).toBeNull();
    }
    expect(overdue(streaming, 99 * 60 * SECOND + 60 * SECOND)).toBeNull();
    expect(overdue(streaming, 99 * 60 * SECOND + 60 * SECOND + 1)).toMatchObject({ kind: 'timeout' });
  });

  it('whose body is not whole in time is the client’s fault, however busily it drips', () => {
    const dripping = timed({ writableFinished: false });
    for (let second = 0; second <= 30; second += 1) {
      dripping.request.socket!.bytesWritten += 1_000;
      expect(overdue(dripping, second * SECOND)).toBeNull();
    }
    expect(overdue(dripping, 30 * SECOND + 1)).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  it('may send a long body for as long as it progresses', () => {
    const sending = timed({ writableFinished: false }, { mayStream: true });
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

  it('whose body the service does not take is a failure of the service', () => {
    const untaken = timed({ writableFinished: false, writableNeedDrain: true });
    expect(overdue(untaken, 30 * SECOND + 1)).toMatchObject({ kind: 'timeout' });
  });

  it('that was at hand whole is for the service to take and answer in the time of an answer', () => {
    const whole = timed({ writableFinished: false, writableNeedDrain: true }, { isWhole: true });
    expect(overdue(whole, 10 * SECOND)).toBeNull();
    expect(overdue(whole, 10 * SECOND + 1)).toMatchObject({ kind: 'timeout' });
  });
});
