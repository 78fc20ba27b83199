import { expect, it } from '@jest/globals';
import { untilReady } from '../src/process/until-ready.ts';

/** Starts to wait for a process that is ready after `checks` checks of what it has printed. */
function waitFor(checks: number, output: (check: number) => string) {
  const lines: string[] = [];
  let checked = 0;
  const waiting = untilReady({
    name: 'example',
    stalledMs: 1,
    isReady: async () => checked >= checks,
    exited: new Promise(() => undefined),
    waitingFor: async () => 'audit, search',
    log: (line) => lines.push(line),
    async lastLines() {
      checked += 1;
      return output(checked);
    },
    end: async () => undefined,
  });
  return { waiting, lines };
}

it('a process that makes progress may take as long as it needs, and is reported', async () => {
  const { waiting, lines } = waitFor(20, (check) => `line ${check}`);
  await waiting;
  expect(lines).toEqual(Array.from({ length: 20 }, () => 'still waiting for audit, search'));
});

it('a process without progress is given up', async () => {
  const { waiting } = waitFor(20, () => 'the same line');
  await expect(waiting).rejects.toThrow('example was not ready, and has printed nothing');
});
