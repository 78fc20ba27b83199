import { setTimeout as delay } from 'node:timers/promises';
import { WaymarkError } from '@waymark/client';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Sender } from './send.ts';

export type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

const TRIES = 10;
const LEAST_SECONDS = 1;

const pauseFor: Pause = (ms, signal) => delay(ms, undefined, signal && { signal });

/** Returns a sender that waits as long as a rate limit says, and repeats the request. */
export function patientSender(
  send: Sender,
  terminal: Terminal,
  signal: AbortSignal | undefined,
  pause = pauseFor,
): Sender {
  return async (operation, input, read) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await send(operation, input, read);
      } catch (error) {
        const { cause } = error as Error;
        if (!(cause instanceof WaymarkError) || cause.code !== 'RATE_LIMITED' || tries === TRIES) throw error;
        const seconds = Math.max(LEAST_SECONDS, cause.retryAfterSeconds ?? 0);
        if (terminal.showsProgress) terminal.error(`rate limited: going on in ${seconds} s`);
        await pause(seconds * 1_000, signal).catch((aborted) => {
          throw new CommandError('interrupted', { exit: 'interrupted', cause: aborted });
        });
      }
    }
  };
}
