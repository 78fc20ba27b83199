import { existsSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '@waymark/contracts';
import type { Checkpoint, Seams } from '@waymark/service-kit/runtime';

const fileOf = (directory: string, service: ServiceName, point: Checkpoint) =>
  join(directory, `crash-${service}-${point}`);

/** Lets a service of the product die when it next reaches the point. */
export const armCrash = ({ directory }: { directory: string }, service: ServiceName, point: Checkpoint) =>
  writeFile(fileOf(directory, service, point), '');

/** Kills this process at a point that is armed. It disarms the point first, so that its restart survives. */
export function crashAt(service: ServiceName): Seams {
  return {
    checkpoint(reached) {
      const file = fileOf(String(process.env['CRASH_DIRECTORY']), service, reached);
      if (!existsSync(file)) return;
      rmSync(file);
      process.kill(process.pid, 'SIGKILL');
      // Nothing may run after this point. The signal is sent immediately but delivered asynchronously.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    },
  };
}
