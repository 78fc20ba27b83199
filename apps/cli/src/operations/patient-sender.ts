import { setTimeout as delay } from 'node:timers/promises';
import { WaymarkError } from '@waymark/client';
import type { Operation } from '@waymark/contracts';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CallInput, Sender } from './send.ts';

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
  async function persist<T>(call: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await call();
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
  }
  return Object.assign((operation: Operation, input: CallInput) => persist(() => send(operation, input)), {
    json: <T>(operation: Operation, input: CallInput) => persist(() => send.json<T>(operation, input)),
  });
}
