import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from './run-command.ts';

export type ProcessExit = { code: number | null; signal: NodeJS.Signals | null };

/** Thrown when a child ended or timed out before it was ready. `output` is what it printed last. */
export class ProcessFailed extends Error {
  readonly output: string;
  constructor(message: string, output: string) {
    super(output === '' ? message : `${message}. It said:\n${output}`);
    this.name = 'ProcessFailed';
    this.output = output;
  }
}

type Started = {
  name: string;
  isReady: () => Promise<boolean>;
  exited: Promise<ProcessExit>;
  lastLines: () => Promise<string>;
  /** Names what is not ready yet. Default: the name of the process. */
  waitingFor?: (() => Promise<string>) | undefined;
  log?: Log | undefined;
  stalledMs?: number | undefined;
  /** Ends the process after `stalledMs`. */
  end: () => Promise<unknown>;
};

/** How long a process may take without any new output. A busy machine makes a process slow, not silent. */
export const STALLED_MS = 180_000;
const POLL_MS = 15;
const REPORT_MS = 10_000;

/**
 * Polls until the process is ready, and logs regularly what is not ready yet.
 * @throws ProcessFailed when the process ends first, or prints nothing for `stalledMs`.
 */
export async function untilReady(started: Started): Promise<void> {
  const { name, stalledMs = STALLED_MS, log = () => undefined, waitingFor = async () => name } = started;
  const fail = async (how: string) => {
    throw new ProcessFailed(`${name} ${how}`, await started.lastLines());
  };
  let ended: ProcessExit | undefined;
  const watch = started.exited.then((exit) => {
    ended = exit;
  });
  const startedAt = performance.now();
  const checkMs = Math.min(REPORT_MS, stalledMs);
  let checkedAt = startedAt;
  let movedAt = startedAt;
  let seen = '';
  for (;;) {
    const ready = await started.isReady();
    if (ended !== undefined) await fail(`ended (${ended.signal ?? `code ${ended.code}`}) at once`);
    if (ready) return;
    if (performance.now() - checkedAt >= checkMs) {
      checkedAt = performance.now();
      const remaining = await waitingFor();
      const state = `${remaining}\n${await started.lastLines()}`;
      if (state !== seen) movedAt = checkedAt;
      else if (checkedAt - movedAt >= stalledMs) {
        await started.end();
        await fail(`was not ready, and has printed nothing for ${stalledMs / 1_000} s`);
      }
      seen = state;
      log(`still waiting for ${remaining}`);
    }
    await Promise.race([watch, delay(POLL_MS)]);
  }
}
