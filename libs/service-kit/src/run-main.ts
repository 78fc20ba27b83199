import { EnvironmentError } from './environment.ts';
import { PendingMigrationsError } from './migrate.ts';
import type { RunningService } from './runtime.ts';

const EXIT_LIMIT_MS = 19_000;

/**
 * Runs a service as a process: starts it, drains on SIGTERM or SIGINT, exits within 20 seconds.
 * A wrong environment ends it at once with every wrong variable named, a pending migration with its name.
 */
export async function runMain(
  start: (env: Record<string, string | undefined>) => Promise<RunningService>,
): Promise<void> {
  try {
    const running = await start(process.env);
    const stop = () => {
      setTimeout(() => process.exit(1), EXIT_LIMIT_MS).unref();
      running.stop().then(
        () => process.exit(0),
        (error) => exitWith(error),
      );
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    await running.ready;
  } catch (error) {
    exitWith(error);
  }
}

function exitWith(error: unknown): never {
  const isOperators = error instanceof EnvironmentError || error instanceof PendingMigrationsError;
  const text = isOperators ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
