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
const onLiveness = jest.fn();
let isRefused = false;
let stop = () => {};

function show(visibilityState: 'visible' | 'hidden'): void {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
}

const last = () => Stream.opened.at(-1)!;

beforeEach(() => {
  jest.useFakeTimers();
  jest.clearAllMocks();
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: {} });
  Object.assign(globalThis, { EventSource: Stream, document: page });
  Stream.opened = [];
  isRefused = false;
  page.visibilityState = 'visible';
  stop = followLiveEvents('w', { onEvent: () => {}, onGap, onLiveness, isRefused: async () => isRefused });
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
    expect(onLiveness).toHaveBeenLastCalledWith('live');
  });

  it('take no connection while the page is hidden', () => {
    const first = last();
    first.ready(false);
    show('hidden');
    expect(first.readyState).toBe(Stream.CLOSED);
    expect(onLiveness).toHaveBeenLastCalledWith('connecting');
    expect(Stream.opened).toHaveLength(1);
    show('visible');
    last().ready(false);
    expect(Stream.opened).toHaveLength(2);
    expect(onGap).toHaveBeenCalledTimes(2);
    expect(onLiveness).toHaveBeenLastCalledWith('live');
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

  it('are not asked for again when they are refused for good, until there is another session', async () => {
    isRefused = true;
    last().refuse();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(onLiveness).toHaveBeenLastCalledWith('refused');
    expect(Stream.opened).toHaveLength(1);
    reportRenewal();
    expect(Stream.opened).toHaveLength(2);
    stop();
    reportRenewal();
    show('visible');
    expect(Stream.opened).toHaveLength(2);
  });
});
