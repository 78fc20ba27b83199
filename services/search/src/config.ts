import { availableParallelism } from 'node:os';
import { MEBIBYTE } from '@waymark/contracts';
import { databaseEnvironment, readEnvironment, serviceUrl } from '@waymark/service-kit';
import { z } from 'zod';

const THREADS_MAX = 4;

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
