import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { assembleCli } from '../../dev/release/build-cli.ts';
import { startBench } from '../support/bench.ts';
import { percentiles } from '../support/quantile.ts';
import { machine } from '../support/table.ts';

/** `npm run bench:cli [runs]`: the npm package and Node.js alone, started anew for each command. */
const RUNS = Number(process.argv[2] ?? 30);
const WARM_RUNS = 3;

const COMMANDS = [
  ['--version'],
  ['--help'],
  ['whoami'],
  ['decisions', 'list'],
  ['decisions', 'create', '--title', 'Measure the command line'],
];

const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-cli-'));
const bench = await startBench({ only: ['accounts', 'decisions'] });
try {
  const { key } = await bench.workspace();
  await assembleCli(findRepositoryRoot(), folder);
  const env = { HOME: folder, WAYMARK_URL: bench.baseUrl, WAYMARK_API_KEY: key };
  console.log(machine());
  measure('node --eval 0', ['--eval', '0'], env);
  for (const command of COMMANDS) {
    measure(`waymark ${command.join(' ')}`, [join(folder, 'main.mjs'), ...command], env);
  }
} finally {
  await bench.stop();
  await rm(folder, { recursive: true });
}

function measure(name: string, args: string[], env: Record<string, string>): void {
  const times: number[] = [];
  for (let run = 0; run < WARM_RUNS + RUNS; run += 1) {
    const startedAtMs = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { env });
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    if (run >= WARM_RUNS) times.push(performance.now() - startedAtMs);
  }
  console.log(`${name}: ${percentiles(times, [0.5, 0.95])}`);
}
