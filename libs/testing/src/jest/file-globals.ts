import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * What test files and their support import from `@jest/globals`. Jest has new functions for each file;
 * importers see those of the file that runs, also when they were loaded for an earlier one.
 */
export let [describe, it, test, expect]: unknown[] = [];
export let [beforeAll, beforeEach, afterAll, afterEach]: unknown[] = [];

type AfterAll = (end: () => unknown, timeoutMs?: number) => void;
const ends: (() => Promise<unknown>)[] = [];

export function useGlobals(globals: Record<string, unknown>): void {
  ({ describe, it, test, expect, beforeAll, beforeEach, afterEach } = globals);
  afterAll = (end: () => unknown, timeoutMs?: number) => {
    let ended: Promise<unknown> | undefined;
    const once = () => {
      ended ??= (async () => end())();
      return ended;
    };
    ends.push(once);
    (globals['afterAll'] as AfterAll)(once, timeoutMs);
  };
}

/** Runs the `afterAll` hooks that Jest left out: a file failed to load, or has no test that was asked for. */
export async function endFile(): Promise<void> {
  for (const end of ends.splice(0)) await end().catch(() => undefined);
}

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ global: globalThis, config: { fakeTimers: {} } as never });

/** The part of Jest's object that the tests use; a call of another function fails. */
export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  clearAllMocks: () => mocker.clearAllMocks(),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: timers.useFakeTimers.bind(timers),
  useRealTimers: () => timers.useRealTimers(),
  setSystemTime: timers.setSystemTime.bind(timers),
  advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
  getTimerCount: () => timers.getTimerCount(),
};
