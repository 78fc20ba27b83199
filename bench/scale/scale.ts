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
 * `npm run bench:scale [seconds] [part] [directory] [decisions] [workspaces]`: what a call takes with 1, 2 and 4 replicas of a service
 * (part `replicas`), and what the main operations take in a small and in a large installation, by turns (`growth`) or alone (`small`,
 * `large`). Their records are put straight into MongoDB; `load` does no more than that in the large one, for so many seconds at most.
 * Default `all`; one part after another needs a directory that stays between them. `-- --only <expression>`: the operations, or the rows
 * of replicas, whose name matches. `-- --awake`: no processor sleeps between calls (keepAwake): waking is paid for by calls, and less often
 * where there is more to do.
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
