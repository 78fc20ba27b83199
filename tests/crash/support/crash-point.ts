import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkpoint, Seams } from '@waymark/service-kit/runtime';

/**
 * Ends this process without warning at a named point, when `crash-<service>` exists in CRASH_DIRECTORY: the
 * test arms it, and the process disarms it on its way out, so that it lives on after its restart.
 */
export function crashAt(service: string, point: Checkpoint): Seams {
  const file = join(String(process.env['CRASH_DIRECTORY']), `crash-${service}`);
  return {
    checkpoint(reached) {
      if (reached !== point || !existsSync(file)) return;
      rmSync(file);
      process.kill(process.pid, 'SIGKILL');
      // Nothing after this point may happen: the signal is delivered at once, but not synchronously.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    },
  };
}
