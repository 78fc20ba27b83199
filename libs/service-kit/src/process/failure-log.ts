import type { Logger } from './logger.ts';

export type FailureLog = ReturnType<typeof failureLog>;

const EVERY_MS = 60_000;

/**
 * Logs a failure that repeats, for each event or second while a store is away: when it begins, then each
 * cause once a minute with the number of `times` since its last line, and when it ends.
 */
export function failureLog(
  log: Logger,
  message: string,
  {
    level = 'warn',
    ticksMs = () => performance.now(),
  }: { level?: 'error' | 'warn'; ticksMs?: () => number } = {},
) {
  const causes = new Map<string, { times: number; loggedAtMs: number }>();
  let isLogged = false;

  return {
    /** Counts a failure. `cause` has few values: lines of different causes do not wait for each other. */
    onError(error: unknown, fields: object = {}, cause = causeOf(error)): void {
      const known = causes.get(cause) ?? { times: 0, loggedAtMs: Number.NEGATIVE_INFINITY };
      causes.set(cause, known);
      known.times += 1;
      if (ticksMs() - known.loggedAtMs < EVERY_MS) return;
      log[level]({ err: error, ...fields, ...(known.times > 1 && { times: known.times }) }, message);
      Object.assign(known, { times: 0, loggedAtMs: ticksMs() });
      isLogged = true;
    },
    /** Logs the end of the failures, if one was logged. */
    onSuccess(): void {
      if (!isLogged) return;
      isLogged = false;
      // The times of the last lines stay, so that rare failures log no more lines than constant ones.
      const times = [...causes.values()].reduce((sum, one) => sum + one.times, 0);
      for (const one of causes.values()) one.times = 0;
      log.info(times > 0 ? { times } : {}, `over: ${message}`);
    },
  };
}

/** Not the message, which may name a connection or an id. */
function causeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return String(code ?? name);
}
