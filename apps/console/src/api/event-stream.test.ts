import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStream } from './event-stream.ts';
import { StreamDouble } from './test/stream-double.ts';

/** Delivers to every other channel of the same name at once. */
class Channel {
  static all = new Set<Channel>();
  onmessage = (_: { data: unknown }) => {};

  constructor() {
    Channel.all.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of [...Channel.all]) if (other !== this) other.onmessage({ data });
  }

  close(): void {
    Channel.all.delete(this);
  }
}

/** The holder keeps the lock until its work is done. */
let turn = Promise.resolve();
const locks = {
  request(_: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>) {
    const held = turn.then(() => (signal.aborted ? undefined : hold()));
    turn = held.then(() => {});
    return held;
  },
};

const settled = () => new Promise(setImmediate);

function tab() {
  const said: string[] = [];
  const close = openStream('w', (message) => {
    if (message.kind === 'message') said.push(message.data);
    else if (message.kind === 'presence') said.push(`presence ${message.data}`);
    else if (message.kind === 'ready') said.push(`ready, ${message.resumed ? 'resumed' : 'anew'}`);
    else said.push(message.kind);
  });
  return { said, close };
}

const closers: (() => void)[] = [];

beforeEach(() => {
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { locks } });
  Object.assign(globalThis, { EventSource: StreamDouble, BroadcastChannel: Channel });
  StreamDouble.opened = [];
});

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function tabs(count: number) {
  const opened = Array.from({ length: count }, tab);
  closers.push(...opened.map(({ close }) => close));
  await settled();
  return opened as [ReturnType<typeof tab>, ReturnType<typeof tab>, ...ReturnType<typeof tab>[]];
}

describe('the tabs of one browser', () => {
  it('receive the events through one stream', async () => {
    const [first, second] = await tabs(2);
    expect(StreamDouble.opened).toHaveLength(1);
    StreamDouble.opened[0]!.ready();
    StreamDouble.opened[0]!.onmessage({ data: 'an event' });
    for (const { said } of [first, second]) expect(said).toEqual(['ready, anew', 'an event']);
  });

  it('learn that the stream is open when they are opened later, and no other tab is told again', async () => {
    const [first] = await tabs(1);
    StreamDouble.opened[0]!.ready();
    const [late] = await tabs(1);
    expect(StreamDouble.opened).toHaveLength(1);
    expect(late.said).toEqual(['ready, anew']);
    expect(first.said).toEqual(['ready, anew']);
  });

  it('open another stream when the tab that held the stream closes', async () => {
    const [first, second] = await tabs(2);
    StreamDouble.opened[0]!.ready();
    first.close();
    await settled();
    expect(StreamDouble.opened.map(({ readyState }) => readyState)).toEqual([StreamDouble.CLOSED, 1]);
    StreamDouble.opened[1]!.ready();
    expect(first.said).toEqual(['ready, anew']);
    expect(second.said).toEqual(['ready, anew', 'ready, anew']);
  });

  it('release the lock when the stream is refused, so that each tab learns the reason itself', async () => {
    const [first, second] = await tabs(2);
    StreamDouble.opened[0]!.close();
    StreamDouble.opened[0]!.onerror();
    await settled();
    expect(first.said).toEqual(['refused']);
    expect(second.said).toEqual(['broken']);
    expect(StreamDouble.opened).toHaveLength(2);
  });
});

describe('the parts of a page in a browser without locks', () => {
  beforeEach(() => {
    Object.defineProperty(globalThis, 'navigator', { configurable: true, value: {} });
  });

  it('share a stream, which ends with the last of them', async () => {
    const [first, second] = await tabs(2);
    expect(StreamDouble.opened).toHaveLength(1);
    StreamDouble.opened[0]!.ready();
    const [late] = await tabs(1);
    StreamDouble.opened[0]!.onmessage({ data: 'an event' });
    for (const { said } of [first, second, late]) expect(said).toEqual(['ready, anew', 'an event']);
    for (const { close } of [first, second]) close();
    expect(StreamDouble.opened[0]!.readyState).toBe(1);
    late.close();
    expect(StreamDouble.opened[0]!.readyState).toBe(StreamDouble.CLOSED);
  });

  it('learn of a refusal, and can try again', async () => {
    const [first, second] = await tabs(2);
    StreamDouble.opened[0]!.refuse();
    expect([first.said, second.said]).toEqual([['refused'], ['refused']]);
    await tabs(1);
    expect(StreamDouble.opened).toHaveLength(2);
  });
});
