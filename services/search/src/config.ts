import { availableParallelism, totalmem } from 'node:os';
import { MEBIBYTE } from '@waymark/contracts';
import { databaseEnvironment, readEnvironment, urlVariables } from '@waymark/service-kit/process';
import { z } from 'zod';

const THREADS_MAX = 4;
const MEMORY_MAX = 1024;

/** A quarter of the memory of this process, in mebibytes: the heap may take most of the rest. */
function memoryDefault(): number {
  const limit = Math.min(process.constrainedMemory() || totalmem(), totalmem());
  return Math.min(MEMORY_MAX, Math.floor(limit / 4 / MEBIBYTE));
}

const SCAN_TIMEOUT_MS = 5_000;

const atLeast = (min: number) => z.coerce.number().int().min(min);
const inBytes = (mebibytes: number) => mebibytes * MEBIBYTE;

export const environment = {
  ...databaseEnvironment('search'),
  ...urlVariables('decisions', 'workflows', 'threads'),
  INDEX_MEBIBYTES: atLeast(16)
    .default(4 * 1024)
    .transform(inBytes)
    .describe('The most that all indexes of a replica take in its temporary folder (TMPDIR).'),
  INDEX_MEMORY_MEBIBYTES: atLeast(16)
    .default(memoryDefault)
    .transform(inBytes)
    .meta({
      description: 'About the most that all open indexes take in memory.',
      defaultText: `a quarter of the container’s, at most ${MEMORY_MAX}`,
    }),
  INDEX_THREADS: atLeast(1)
    .max(64)
    .default(Math.max(1, Math.min(THREADS_MAX, availableParallelism() - 1)))
    .meta({
      description: 'Threads that build and search the indexes.',
      defaultText: `one less than processors, 1 to ${THREADS_MAX}`,
    }),
  SCAN_TIMEOUT_MS: atLeast(100)
    .max(600_000)
    .default(SCAN_TIMEOUT_MS)
    .describe(
      'The most that a search scans a workspace that has no index yet or is too large for one. Then it answers 503.',
    ),
};

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(environment, env);
}
