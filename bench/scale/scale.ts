import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machine } from '../support/table.ts';
import { printCostHead } from './call-cost.ts';
import { measureGrowth } from './growth.ts';
import { measureReplicas } from './replicas.ts';

/**
 * `npm run bench:scale [seconds] [replicas|growth] [directory]`: measures calls with 1, 2 and 4 replicas of a
 * service, and the main operations in a small and a large installation, alternating. Records are inserted
 * directly into MongoDB; a directory that persists keeps them, and an interrupted run continues there.
 */
const [secondsGiven = '10', part = 'all', kept] = process.argv.slice(2);
const seconds = Number(secondsGiven);
const sizes = {
  small: { decisions: 1_000, workspaces: 10 },
  large: { decisions: 1_000_000, workspaces: 10_000 },
};

const directory = kept ?? (await mkdtemp(join(tmpdir(), 'waymark-bench-')));
console.log(`${machine()}, ${seconds} s each\n`);
try {
  printCostHead();
  if (part !== 'growth') await measureReplicas(seconds);
  if (part !== 'replicas') await measureGrowth({ sizes, directory, seconds });
  console.log(`\nat the end: ${machine()}`);
} finally {
  if (!kept) await rm(directory, { recursive: true, force: true });
}
