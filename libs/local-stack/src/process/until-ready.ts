import { setTimeout as delay } from 'node:timers/promises';

export type ProcessExit = { code: number | null; signal: NodeJS.Signals | null };

/** A child ended, or the time was up, before it was ready. `output` is what it printed last. */
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
  /** Ends it when the time is up. */
  end: () => Promise<unknown>;
};

const POLL_MS = 15;

/** Polls until ready. @throws ProcessFailed as soon as it ends instead, or when the time is up. */
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
