import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { periodicTask } from './periodic-task.ts';

/** A task whose runs end when the test says so. */
function controlled() {
  const runs: { signal: AbortSignal; end: () => void; fail: (error: Error) => void }[] = [];
  const errors: unknown[] = [];
  const task = periodicTask({
    everyMs: 1_000,
    run: (signal) => new Promise((end, fail) => runs.push({ signal, end, fail })),
    onError: (error) => errors.push(error),
  });
  return { runs, errors, task };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('periodicTask', () => {
  it('runs again `everyMs` after the end of a run, also after a failure', async () => {
    const { runs, errors, task } = controlled();
    task.start();
    expect(runs).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(runs).toHaveLength(1);
    runs[0]!.fail(new Error('the store is down'));
    await jest.advanceTimersByTimeAsync(999);
    expect(runs).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(runs).toHaveLength(2);
    expect(errors).toEqual([new Error('the store is down')]);
  });

  it('runs at once when triggered, and once more when triggered during a run', async () => {
    const { runs, task } = controlled();
    const first = task.trigger();
    const [second, third] = [task.trigger(), task.trigger()];
    expect(runs).toHaveLength(1);
    runs[0]!.end();
    await first;
    await jest.advanceTimersByTimeAsync(0);
    expect(runs).toHaveLength(2);
    runs[1]!.end();
    await Promise.all([second, third]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(runs).toHaveLength(2);
  });

  it('counts the time to the next run from the end of a triggered one', async () => {
    const { runs, task } = controlled();
    task.start();
    await jest.advanceTimersByTimeAsync(900);
    const triggered = task.trigger();
    runs[0]!.end();
    await triggered;
    await jest.advanceTimersByTimeAsync(999);
    expect(runs).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(runs).toHaveLength(2);
  });

  it('stops: aborts the run under way, waits for it and begins no other', async () => {
    const { runs, task } = controlled();
    task.start();
    void task.trigger();
    void task.trigger();
    let hasStopped = false;
    const stopped = task.stop().then(() => {
      hasStopped = true;
    });
    await jest.advanceTimersByTimeAsync(10_000);
    expect([runs[0]!.signal.aborted, hasStopped]).toEqual([true, false]);
    runs[0]!.end();
    await stopped;
    await task.trigger();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(runs).toHaveLength(1);
  });
});
