import { StartupError } from './environment.ts';
import type { RunningService } from './running-service.ts';
import { withSecretFiles } from './secret-files.ts';

const EXIT_LIMIT_MS = 19_000;

/** Runs a service as a process: starts it, drains on SIGTERM or SIGINT, and exits within 20 seconds. */
export async function runMain(
  start: (env: Record<string, string | undefined>) => Promise<RunningService>,
): Promise<void> {
  try {
    const running = await start(withSecretFiles(process.env));
    const stop = () => {
      setTimeout(() => process.exit(1), EXIT_LIMIT_MS).unref();
      running.stop().then(() => process.exit(0), exitWith);
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    await running.ready;
    // Loading modules leaves garbage, a third of the memory, which V8 would keep while the process is idle.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  } catch (error) {
    exitWith(error);
  }
}

function exitWith(error: unknown): never {
  const text =
    error instanceof StartupError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
