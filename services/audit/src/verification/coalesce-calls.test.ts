import { describe, expect, it } from '@jest/globals';
import { coalesceCalls } from './coalesce-calls.ts';

/** Work that goes on until the test ends it, or nobody wants it any more. */
function startWork() {
  const begun: {
    key: string;
    signal: AbortSignal;
    finish: (result: string) => void;
    fail: (error: Error) => void;
  }[] = [];
  const ask = coalesceCalls<string>(async (key, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => reject(signal.reason));
    begun.push({ key, signal, finish: resolve, fail: reject });
    return promise;
  });
  return { begun, ask };
}

/** Lets what is settled be noticed. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('callers of the same key', () => {
  it('share no run that began before they asked, but all the one after it; those of another key have their own', async () => {
    const { begun, ask } = startWork();
    const staying = new AbortController().signal;
    const answers = ['a', 'a', 'b', 'a'].map((key) => ask(key, staying));
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
    begun[0]!.finish('before');
    expect(await answers[0]).toBe('before');
    await settled();
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b', 'a']);
    const last = ask('a', staying);
    begun[1]!.finish('b');
    begun[2]!.finish('after');
    expect(await Promise.all(answers)).toEqual(['before', 'after', 'b', 'after']);
    await settled();
    begun[3]!.finish('last');
    expect(await last).toBe('last');
    expect(begun).toHaveLength(4);
  });

  it('begin another once it is over, whether well or not', async () => {
    const { begun, ask } = startWork();
    const staying = new AbortController().signal;
    const first = ask('a', staying);
    begun[0]!.fail(new Error('the store is away'));
    await expect(first).rejects.toThrow('the store is away');
    await settled();
    const second = ask('a', staying);
    expect(begun).toHaveLength(2);
    begun[1]!.finish('second');
    expect(await second).toBe('second');
  });
});

describe('a run', () => {
  it('goes on while one caller is left, and stops with the last', async () => {
    const { begun, ask } = startWork();
    const [first, one, other] = [new AbortController(), new AbortController(), new AbortController()];
    const answers = [ask('a', first.signal), ask('a', one.signal), ask('a', other.signal)];
    first.abort();
    expect(begun[0]!.signal.aborted).toBe(true);
    await settled();
    expect(begun).toHaveLength(2);
    one.abort();
    expect(begun[1]!.signal.aborted).toBe(false);
    other.abort();
    expect(begun[1]!.signal.aborted).toBe(true);
    const late = ask('a', new AbortController().signal);
    for (const answer of answers) await expect(answer).rejects.toThrow('aborted');
    await settled();
    expect(begun).toHaveLength(3);
    begun[2]!.finish('late');
    expect(await late).toBe('late');
  });

  it('does not begin when all who wait for it have gone', async () => {
    const { begun, ask } = startWork();
    const impatient = new AbortController();
    const first = ask('a', new AbortController().signal);
    const second = ask('a', impatient.signal);
    impatient.abort();
    await expect(second).rejects.toThrow('aborted');
    begun[0]!.finish('first');
    expect(await first).toBe('first');
    await settled();
    expect(begun).toHaveLength(1);
  });
});
