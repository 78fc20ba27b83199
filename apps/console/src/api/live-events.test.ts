import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { reportRenewal } from './expiry.ts';
import { followLiveEvents } from './live-events.ts';
import { StreamDouble } from './test/stream-double.ts';

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const onGap = jest.fn();
const onLiveness = jest.fn();
let isRefused = false;
let stop = () => {};

function show(visibilityState: 'visible' | 'hidden'): void {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
}

const last = () => StreamDouble.opened.at(-1)!;

beforeEach(() => {
  jest.useFakeTimers();
  jest.clearAllMocks();
  Object.assign(globalThis, { EventSource: StreamDouble, document: page });
  StreamDouble.opened = [];
  isRefused = false;
  page.visibilityState = 'visible';
  stop = followLiveEvents('w', { onEvent: () => {}, onGap, onLiveness, isRefused: async () => isRefused });
});

afterEach(() => {
  stop();
  jest.useRealTimers();
  // Other test files of this process find no browser.
  for (const name of ['EventSource', 'document']) Reflect.deleteProperty(globalThis, name);
});

describe('the live events', () => {
  it('may have been missed whenever a stream starts, also the first one, unless it is resumed', () => {
    last().ready(false);
    expect(onGap).toHaveBeenCalledTimes(1);
    last().ready(true);
    expect(onGap).toHaveBeenCalledTimes(1);
    last().ready(false);
    expect(onGap).toHaveBeenCalledTimes(2);
    expect(onLiveness).toHaveBeenLastCalledWith('live');
  });

  it('use no connection while the page is hidden', () => {
    const first = last();
    first.ready(false);
    show('hidden');
    expect(first.readyState).toBe(StreamDouble.CLOSED);
    expect(onLiveness).toHaveBeenLastCalledWith('connecting');
    expect(StreamDouble.opened).toHaveLength(1);
    show('visible');
    last().ready(false);
    expect(StreamDouble.opened).toHaveLength(2);
    expect(onGap).toHaveBeenCalledTimes(2);
    expect(onLiveness).toHaveBeenLastCalledWith('live');
  });

  it('are requested again after a refusal, but not while the page is hidden', async () => {
    last().refuse();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(StreamDouble.opened).toHaveLength(2);
    last().refuse();
    show('hidden');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(StreamDouble.opened).toHaveLength(2);
  });

  it('are not requested again after a permanent refusal, until there is another session', async () => {
    isRefused = true;
    last().refuse();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(onLiveness).toHaveBeenLastCalledWith('refused');
    expect(StreamDouble.opened).toHaveLength(1);
    reportRenewal();
    expect(StreamDouble.opened).toHaveLength(2);
    stop();
    reportRenewal();
    show('visible');
    expect(StreamDouble.opened).toHaveLength(2);
  });

  it('come to the parts of a page by one stream, which ends with the last of them', () => {
    last().ready();
    const onEvent = jest.fn();
    const isLate = jest.fn();
    const part = { onEvent, onGap: isLate, onLiveness, isRefused: async () => isRefused };
    const stopPart = followLiveEvents('w', part);
    expect(isLate).toHaveBeenCalledTimes(1);
    last().tell('{"type":"decision.created"}');
    expect(onEvent).toHaveBeenCalledTimes(1);
    stop();
    last().tell('{"type":"decision.updated"}');
    expect(onEvent).toHaveBeenCalledTimes(2);
    expect(last().readyState).toBe(StreamDouble.OPEN);
    stopPart();
    expect(last().readyState).toBe(StreamDouble.CLOSED);
    expect(StreamDouble.opened).toHaveLength(1);
  });
});
