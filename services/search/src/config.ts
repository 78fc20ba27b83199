import { availableParallelism, totalmem } from 'node:os';
import { MEBIBYTE } from '@waymark/contracts';
import { databaseEnvironment, readEnvironment, serviceUrl } from '@waymark/service-kit';
import { z } from 'zod';

const THREADS_MAX = 4;
const MEMORY_MAX = 1024;

/** Half of what this process may have, in mebibytes. */
function memoryDefault(): number {
  const limit = Math.min(process.constrainedMemory() || totalmem(), totalmem());
  return Math.min(MEMORY_MAX, Math.floor(limit / 2 / MEBIBYTE));
}

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(
    {
      ...databaseEnvironment('search'),
      DECISIONS_URL: serviceUrl('decisions'),
      WORKFLOWS_URL: serviceUrl('workflows'),
      THREADS_URL: serviceUrl('threads'),
      /** What the indexes of this replica may take in its temporary folder (TMPDIR), all together. */
      INDEX_MEBIBYTES: z.coerce
        .number()
        .int()
        .min(16)
        .default(4 * 1024)
        .transform((mebibytes) => mebibytes * MEBIBYTE),
      /** What they may hold in memory, about, all together. Default: half of the container's, at most 1024. */
      INDEX_MEMORY_MEBIBYTES: z.coerce
        .number()
        .int()
        .min(16)
        .default(memoryDefault)
        .transform((mebibytes) => mebibytes * MEBIBYTE),
      INDEX_THREADS: z.coerce
        .number()
        .int()
        .min(1)
        .max(64)
        .default(Math.max(1, Math.min(THREADS_MAX, availableParallelism() - 1))),
    },
    env,
  );
}
