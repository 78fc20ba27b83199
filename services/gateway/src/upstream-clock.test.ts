import { describe, expect, it } from '@jest/globals';
import { overdue, type Timed } from './upstream-clock.ts';

const SECOND = 1_000;

function timed(progress: Partial<Timed['request']> = {}): Timed {
  const request = {
    writableFinished: true,
    writableNeedDrain: false,
    socket: { bytesRead: 0, bytesWritten: 0 },
    destroy: () => undefined as never,
    ...progress,
  };
  return {
    ...{ request, answerTimeoutMs: 10 * SECOND, isAnswered: false },
    ...{ sentAtMs: null, bytes: 0, movedAtMs: 0, place: 0 },
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

  it('whose client stops sending its body is the client’s fault, and no failure of the service', () => {
    const stalled = timed({ writableFinished: false });
    expect(overdue(stalled, 60 * SECOND)).toBeNull();
    expect(overdue(stalled, 60 * SECOND + 1)).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });

  it('whose body the service does not read is a failure of the service', () => {
    const unread = timed({ writableFinished: false, writableNeedDrain: true });
    expect(overdue(unread, 60 * SECOND + 1)).toMatchObject({ kind: 'timeout' });
  });
});
