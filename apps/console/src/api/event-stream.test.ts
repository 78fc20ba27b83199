import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStream } from './event-stream.ts';
import { StreamDouble } from './test/stream-double.ts';

function part() {
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
  Object.assign(globalThis, { EventSource: StreamDouble });
  StreamDouble.opened = [];
});

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function parts(count: number) {
  const opened = Array.from({ length: count }, part);
  closers.push(...opened.map(({ close }) => close));
  return opened as [ReturnType<typeof part>, ReturnType<typeof part>, ...ReturnType<typeof part>[]];
}

describe('the parts of a page', () => {
  it('share a stream, which ends with the last of them', () => {
    const [first, second] = parts(2);
    expect(StreamDouble.opened).toHaveLength(1);
    StreamDouble.opened[0]!.ready();
    const [late] = parts(1);
    StreamDouble.opened[0]!.onmessage({ data: 'an event' });
    for (const { said } of [first, second, late]) expect(said).toEqual(['ready, anew', 'an event']);
    for (const { close } of [first, second]) close();
    expect(StreamDouble.opened[0]!.readyState).toBe(1);
    late.close();
    expect(StreamDouble.opened[0]!.readyState).toBe(StreamDouble.CLOSED);
  });

  it('learn of a refusal, and can try again', () => {
    const [first, second] = parts(2);
    StreamDouble.opened[0]!.refuse();
    expect([first.said, second.said]).toEqual([['refused'], ['refused']]);
    parts(1);
    expect(StreamDouble.opened).toHaveLength(2);
  });
});
