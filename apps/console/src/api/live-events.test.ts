import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { reportRenewal } from './expiry.ts';
import { followLiveEvents } from './live-events.ts';

/** As much of the browser's as is used; what happens to it the test says. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Stream[] = [];
  readyState = 1;
  onerror = () => {};

  constructor() {
    super();
    Stream.opened.push(this);
  }

  close(): void {
    this.readyState = Stream.CLOSED;
  }

  ready(resumed: boolean): void {
    this.dispatchEvent(new MessageEvent('ready', { data: JSON.stringify({ resumed }) }));
  }

  refuse(): void {
    this.close();
    this.onerror();
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const onGap = jest.fn();
const onLive = jest.fn();
let isOver = false;
let stop = () => {};

function show(visibilityState: 'visible' | 'hidden'): void {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
}

const last = () => Stream.opened.at(-1)!;

beforeEach(() => {
  jest.useFakeTimers();
  jest.clearAllMocks();
  Object.assign(globalThis, { EventSource: Stream, document: page });
  Stream.opened = [];
  isOver = false;
  page.visibilityState = 'visible';
  stop = followLiveEvents('w', { onEvent: () => {}, onGap, onLive, isSessionOver: async () => isOver });
});

afterEach(() => {
  stop();
  jest.useRealTimers();
});

describe('the live events', () => {
  it('may lack something whenever a stream begins, the first one too, unless it is resumed', () => {
    last().ready(false);
    expect(onGap).toHaveBeenCalledTimes(1);
    last().ready(true);
    expect(onGap).toHaveBeenCalledTimes(1);
    last().ready(false);
    expect(onGap).toHaveBeenCalledTimes(2);
    expect(onLive).toHaveBeenLastCalledWith(true);
  });

  it('take no connection while the page is hidden', () => {
    const first = last();
    first.ready(false);
    show('hidden');
    expect(first.readyState).toBe(Stream.CLOSED);
    expect(onLive).toHaveBeenLastCalledWith(false);
    expect(Stream.opened).toHaveLength(1);
    show('visible');
    last().ready(false);
    expect(Stream.opened).toHaveLength(2);
    expect(onGap).toHaveBeenCalledTimes(2);
    expect(onLive).toHaveBeenLastCalledWith(true);
  });

  it('are asked for again after a refusal, not while the page is hidden', async () => {
    last().refuse();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(Stream.opened).toHaveLength(2);
    last().refuse();
    show('hidden');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(Stream.opened).toHaveLength(2);
  });

  it('are not asked for again when the session is over, until there is another', async () => {
    isOver = true;
    last().refuse();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(Stream.opened).toHaveLength(1);
    reportRenewal();
    expect(Stream.opened).toHaveLength(2);
    stop();
    reportRenewal();
    show('visible');
    expect(Stream.opened).toHaveLength(2);
  });
});
