import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireFaketime } from '@waymark/local-stack';

/** The clocks of processes, which libfaketime moves while the processes run. */
export interface Clocks {
  /** The environment of a process with its own clock. */
  env(name: string): Record<string, string>;
  /** Moves a process's clock relative to the machine's, within a second. */
  set(name: string, offsetSeconds: number): Promise<void>;
}

/** Sets up clocks whose offsets are files in a new folder. @throws Error without libfaketime. */
export async function createClocks(directory: string): Promise<Clocks> {
  const library = await acquireFaketime((line) => process.stderr.write(`${line}\n`));
  await mkdir(directory);
  return {
    env: (name) => ({
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: join(directory, name),
      // Whole seconds for which the library does not read the file again.
      FAKETIME_CACHE_DURATION: '0',
      // Durations are measured by monotonic clocks, which nobody sets.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // The library's own workaround for them makes mongod spin.
      FAKETIME_FORCE_MONOTONIC_FIX: '0',
    }),
    async set(name, offsetSeconds) {
      const file = join(directory, name);
      // Renamed, because a process may read the file at any time.
      await writeFile(`${file}.new`, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}\n`);
      await rename(`${file}.new`, file);
    },
  };
}
