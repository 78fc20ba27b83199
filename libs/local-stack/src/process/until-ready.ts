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

export type Awaited = {
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
export async function untilReady({
  name,
  timeoutMs,
  isReady,
  exited,
  lastLines,
  end,
}: Awaited): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let ended: ProcessExit | undefined;
  const watch = exited.then((exit) => {
    ended = exit;
  });
  for (;;) {
    const ready = await isReady();
    if (ended !== undefined) {
      throw new ProcessFailed(
        `${name} ended (${ended.signal ?? `code ${ended.code}`}) at once`,
        await lastLines(),
      );
    }
    if (ready) return;
    if (Date.now() > deadline) {
      await end();
      throw new ProcessFailed(`${name} was not ready after ${timeoutMs} ms`, await lastLines());
    }
    await Promise.race([watch, delay(POLL_MS)]);
  }
}
