import { describe, expect, it } from '@jest/globals';
import { sharedRuns } from './shared-runs.ts';

/** Work that goes on until the test ends it, or nobody wants it any more. */
function startWork() {
  const begun: { key: string; signal: AbortSignal; finish: (result: string) => void }[] = [];
  const ask = sharedRuns<string>(async (key, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => reject(signal.reason));
    begun.push({ key, signal, finish: resolve });
    return promise;
  });
  return { begun, ask };
}

describe('callers of the same key', () => {
  it('share a run, those of another key do not', async () => {
    const { begun, ask } = startWork();
    const staying = new AbortController().signal;
    const answers = ['a', 'a', 'b'].map((key) => ask(key, staying));
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
    for (const { key, finish } of begun) finish(`${key} is done`);
    expect(await Promise.all(answers)).toEqual(['a is done', 'a is done', 'b is done']);
  });

  it('begin another once it is over, whether well or not', async () => {
    const { begun, ask } = startWork();
    const staying = new AbortController().signal;
    const first = ask('a', staying);
    begun[0]!.finish('first');
    expect(await first).toBe('first');
    const second = ask('a', staying);
    expect(begun).toHaveLength(2);
    begun[1]!.finish('second');
    expect(await second).toBe('second');
  });
});

describe('a run', () => {
  it('goes on while one caller is left, and stops with the last; who comes then begins anew', async () => {
    const { begun, ask } = startWork();
    const [one, other] = [new AbortController(), new AbortController()];
    const answers = [ask('a', one.signal), ask('a', other.signal)];
    one.abort();
    expect(begun[0]!.signal.aborted).toBe(false);
    other.abort();
    expect(begun[0]!.signal.aborted).toBe(true);
    const late = ask('a', new AbortController().signal);
    for (const answer of answers) await expect(answer).rejects.toThrow('aborted');
    expect(begun).toHaveLength(2);
    begun[1]!.finish('late');
    expect(await late).toBe('late');
  });
});
