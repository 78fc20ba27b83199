import { availableParallelism, totalmem } from 'node:os';
import { MEBIBYTE } from '@waymark/contracts';
import { databaseEnvironment, readEnvironment, serviceUrl } from '@waymark/service-kit/process';
import { z } from 'zod';

const THREADS_MAX = 4;
const MEMORY_MAX = 1024;

/** A quarter of what this process may have, in mebibytes: its heap may take most of the rest. */
function memoryDefault(): number {
  const limit = Math.min(process.constrainedMemory() || totalmem(), totalmem());
  return Math.min(MEMORY_MAX, Math.floor(limit / 4 / MEBIBYTE));
}

/** With the wait for an index below the least that a gateway waits for an answer: 2 s, of a service that was down a moment ago. */
const SCAN_TIMEOUT_MS = 1_200;

export const environment = {
  ...databaseEnvironment('search'),
  DECISIONS_URL: serviceUrl('decisions'),
  WORKFLOWS_URL: serviceUrl('workflows'),
  THREADS_URL: serviceUrl('threads'),
  INDEX_MEBIBYTES: z.coerce
    .number()
    .int()
    .min(16)
    .default(4 * 1024)
    .transform((mebibytes) => mebibytes * MEBIBYTE)
    .describe('What the indexes of a replica may take in its temporary folder (TMPDIR), all together.'),
  INDEX_MEMORY_MEBIBYTES: z.coerce
    .number()
    .int()
    .min(16)
    .default(memoryDefault)
    .transform((mebibytes) => mebibytes * MEBIBYTE)
    .meta({
      description: 'What those that are open may hold in memory, about, all together.',
      defaultText: `a quarter of the container’s, at most ${MEMORY_MAX}`,
    }),
  INDEX_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(Math.max(1, Math.min(THREADS_MAX, availableParallelism() - 1)))
    .meta({
      description: 'Threads that build and ask the indexes.',
      defaultText: `one less than processors, 1 to ${THREADS_MAX}`,
    }),
  SCAN_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(SCAN_TIMEOUT_MS)
    .describe(
      'How long a search may look through a workspace that has no index yet, or no room for one; then it answers 503.',
    ),
};

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(environment, env);
}
