import { describe, expect, it } from '@jest/globals';
import { sharedRuns } from './shared-runs.ts';

/** Work that runs until the test ends it, or until it is aborted. */
function startWork() {
  const begun: {
    key: string;
    signal: AbortSignal;
    finish: (result: string) => void;
    fail: (error: Error) => void;
  }[] = [];
  const run = sharedRuns<string>();
  const call = (key: string, gone: AbortSignal) =>
    run(
      key,
      async (signal) => {
        const { promise, resolve, reject } = Promise.withResolvers<string>();
        signal.addEventListener('abort', () => reject(signal.reason));
        begun.push({ key, signal, finish: resolve, fail: reject });
        return promise;
      },
      gone,
    );
  return { begun, call };
}

/** Waits until settled promises have been handled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('calls with the same key', () => {
  it('never join a running run, but share the next one; another key has its own runs', async () => {
    const { begun, call } = startWork();
    const staying = new AbortController().signal;
    const answers = ['a', 'a', 'b', 'a'].map((key) => call(key, staying));
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
    begun[0]!.finish('before');
    expect(await answers[0]).toBe('before');
    await settled();
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b', 'a']);
    const last = call('a', staying);
    begun[1]!.finish('b');
    begun[2]!.finish('after');
    expect(await Promise.all(answers)).toEqual(['before', 'after', 'b', 'after']);
    await settled();
    begun[3]!.finish('last');
    expect(await last).toBe('last');
    expect(begun).toHaveLength(4);
  });

  it('start another run after the last one, even if it failed', async () => {
    const { begun, call } = startWork();
    const staying = new AbortController().signal;
    const first = call('a', staying);
    begun[0]!.fail(new Error('the store is away'));
    await expect(first).rejects.toThrow('the store is away');
    await settled();
    const second = call('a', staying);
    expect(begun).toHaveLength(2);
    begun[1]!.finish('second');
    expect(await second).toBe('second');
  });
});

describe('a run', () => {
  it('continues while one caller is left, and is aborted with the last', async () => {
    const { begun, call } = startWork();
    const [first, one, other] = [new AbortController(), new AbortController(), new AbortController()];
    const answers = [call('a', first.signal), call('a', one.signal), call('a', other.signal)];
    first.abort();
    expect(begun[0]!.signal.aborted).toBe(true);
    await settled();
    expect(begun).toHaveLength(2);
    one.abort();
    expect(begun[1]!.signal.aborted).toBe(false);
    other.abort();
    expect(begun[1]!.signal.aborted).toBe(true);
    const late = call('a', new AbortController().signal);
    for (const answer of answers) await expect(answer).rejects.toThrow('aborted');
    await settled();
    expect(begun).toHaveLength(3);
    begun[2]!.finish('late');
    expect(await late).toBe('late');
  });

  it('does not start when all of its callers have gone', async () => {
    const { begun, call } = startWork();
    const impatient = new AbortController();
    const first = call('a', new AbortController().signal);
    const second = call('a', impatient.signal);
    impatient.abort();
    await expect(second).rejects.toThrow('aborted');
    begun[0]!.finish('first');
    expect(await first).toBe('first');
    await settled();
    expect(begun).toHaveLength(1);
  });
});
