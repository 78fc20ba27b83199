import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkpoint, Seams } from '@waymark/service-kit/runtime';

/**
 * Kills this process at a named point when `crash-<service>` exists in CRASH_DIRECTORY. The test creates the
 * file to arm the point; the process removes it before it dies, so that its restart survives.
 */
export function crashAt(service: string, point: Checkpoint): Seams {
  const file = join(String(process.env['CRASH_DIRECTORY']), `crash-${service}`);
  return {
    checkpoint(reached) {
      if (reached !== point || !existsSync(file)) return;
      rmSync(file);
      process.kill(process.pid, 'SIGKILL');
      // Nothing may run after this point. The signal is sent immediately but delivered asynchronously.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    },
  };
}
