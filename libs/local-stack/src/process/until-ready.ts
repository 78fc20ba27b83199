import { setTimeout as delay } from 'node:timers/promises';

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
  timeoutMs: number;
  isReady: () => Promise<boolean>;
  exited: Promise<ProcessExit>;
  lastLines: () => Promise<string>;
  /** Ends the process after the timeout. */
  end: () => Promise<unknown>;
};

const POLL_MS = 15;

/** Polls until the process is ready. @throws ProcessFailed when it ends or times out first. */
export async function untilReady(started: Started): Promise<void> {
  const deadline = Date.now() + started.timeoutMs;
  const fail = async (how: string) => {
    throw new ProcessFailed(`${started.name} ${how}`, await started.lastLines());
  };
  let ended: ProcessExit | undefined;
  const watch = started.exited.then((exit) => {
    ended = exit;
  });
  for (;;) {
    const ready = await started.isReady();
    if (ended !== undefined) await fail(`ended (${ended.signal ?? `code ${ended.code}`}) at once`);
    if (ready) return;
    if (Date.now() > deadline) {
      await started.end();
      await fail(`was not ready after ${started.timeoutMs} ms`);
    }
    await Promise.race([watch, delay(POLL_MS)]);
  }
}
