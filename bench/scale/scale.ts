import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine } from '../support/table.ts';
import { printCostHead } from './call-cost.ts';
import { loadInstallation, measureGrowth } from './growth.ts';
import { keepAwake } from './keep-awake.ts';
import { measureReplicas } from './replicas.ts';

/**
 * `npm run bench:scale [seconds] [part] [directory] [decisions] [workspaces]`: measures calls with 1, 2 and
 * 4 replicas of a service (part `replicas`), and the main operations in a small and a large installation,
 * alternating (`growth`) or alone (`small`, `large`). Records are inserted directly into MongoDB; `load`
 * only fills the large installation, for at most `seconds`. Default: `all`. To run the parts one by one,
 * name a directory that persists. `-- --only <expression>` selects operations or rows by name. `-- --awake`
 * keeps the processors from sleeping between calls (keepAwake).
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { awake: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const [secondsGiven = '10', part = 'all', kept, decisionsGiven = '1000000', workspacesGiven = '10000'] =
  positionals;
const seconds = Number(secondsGiven);
const only = new RegExp(values.only);
const small = { decisions: 1_000, workspaces: 10 };
const large = { decisions: Number(decisionsGiven), workspaces: Number(workspacesGiven) };

const directory = kept ?? (await mkdtemp(join(tmpdir(), 'waymark-bench-')));
const letSleep = values.awake ? await keepAwake() : undefined;
console.log(`${machine()}, ${seconds} s each${values.awake ? ', processors kept awake' : ''}\n`);
try {
  if (part === 'load') {
    await loadInstallation(join(directory, 'large'), large, seconds);
  } else {
    printCostHead();
    if (part === 'all' || part === 'replicas') await measureReplicas({ seconds, only });
    const sizes = { ...(part !== 'large' && { small }), ...(part !== 'small' && { large }) };
    if (part !== 'replicas') await measureGrowth({ sizes, directory, seconds, only });
  }
  console.log(`\nat the end: ${machine()}`);
} finally {
  await letSleep?.();
  if (!kept) await rm(directory, { recursive: true, force: true });
}
